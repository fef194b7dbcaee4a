//! A source file taken apart: code without comments and texts, and comments without code.

use super::config::Language;

/// Both halves have the lines and columns of the file; what belongs to the other half is blank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Code. The inside of string and character literals is blank.
    pub code: String,
    /// Comments, with what opens them.
    pub comments: String,
    /// Code with the inside of literals: for paths.
    pub literals: String,
    /// Lines from here on are tests (counted from 0); the number of lines if there are none.
    pub tests_from: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum State<'a> {
    Code,
    Line,
    Block(&'a str, &'a str, usize),
    Text { raw: bool, hashes: usize },
}

impl Source {
    /// Takes `text` apart.
    pub fn split(text: &str, language: &Language) -> Source {
        let mut splitter = Splitter { language, state: State::Code, source: Source::empty() };
        let mut rest = text;
        while !rest.is_empty() {
            let taken = splitter.step(rest);
            rest = &rest[taken..];
        }
        let mut source = splitter.source;
        source.tests_from = tests_from(&source.code, language);
        source
    }

    fn empty() -> Source {
        Source { code: String::new(), comments: String::new(), literals: String::new(), tests_from: 0 }
    }

    /// Lines of code before the tests, counted from 1.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().take(self.tests_from).enumerate().map(|(n, line)| (n + 1, line))
    }

    /// Writes `part` into the halves that it belongs to, and blanks into the others.
    fn push(&mut self, part: &str, code: bool, comments: bool, literals: bool) {
        for (half, keep) in
            [(&mut self.code, code), (&mut self.comments, comments), (&mut self.literals, literals)]
        {
            half.extend(part.chars().map(|c| if keep || c == '\n' { c } else { ' ' }));
        }
    }
}

/// First line of the tests at the end of a file.
fn tests_from(code: &str, language: &Language) -> usize {
    let lines = code.lines().count();
    let Some(opening) = &language.tests else { return lines };
    let mut found = lines;
    let all: Vec<&str> = code.lines().collect();
    for (n, line) in all.iter().enumerate() {
        // Only a module counts: other items under the same attribute are small and may stand anywhere.
        let next = all.get(n + 1).copied().unwrap_or("").trim_start();
        if line.trim_start().starts_with(opening.as_str()) && next.contains("mod ") && next.contains('{') {
            found = found.min(n);
        }
    }
    found
}

struct Splitter<'a> {
    language: &'a Language,
    state: State<'a>,
    source: Source,
}

impl<'a> Splitter<'a> {
    /// Takes the next piece off `rest`; returns its length.
    fn step(&mut self, rest: &str) -> usize {
        match self.state {
            State::Code => self.code(rest),
            State::Line => self.line(rest),
            State::Block(open, close, depth) => self.block(rest, open, close, depth),
            State::Text { raw, hashes } => self.text(rest, raw, hashes),
        }
    }

    fn code(&mut self, rest: &str) -> usize {
        let language = self.language;
        if let Some(opening) =
            language.line_comments.iter().find(|opening| rest.starts_with(opening.as_str()))
        {
            self.state = State::Line;
            return self.comment(opening);
        }
        if let Some((open, close)) =
            language.block_comments.iter().find(|(open, _)| rest.starts_with(open.as_str()))
        {
            self.state = State::Block(open, close, 1);
            return self.comment(open);
        }
        if let Some((opening, hashes)) = raw_opening(rest).filter(|_| self.at_word_start()) {
            self.state = State::Text { raw: true, hashes };
            return self.both(&rest[..opening]);
        }
        if let Some(length) = character(rest) {
            self.source.push(&rest[..length], false, false, true);
            return length;
        }
        let first = first_char(rest);
        if first == "\"" {
            self.state = State::Text { raw: false, hashes: 0 };
        }
        self.both(first)
    }

    fn line(&mut self, rest: &str) -> usize {
        let end = rest.find('\n').unwrap_or(rest.len());
        self.state = State::Code;
        self.comment(&rest[..end])
    }

    fn block(&mut self, rest: &str, open: &'a str, close: &'a str, depth: usize) -> usize {
        if rest.starts_with(close) {
            self.state = if depth == 1 { State::Code } else { State::Block(open, close, depth - 1) };
            return self.comment(close);
        }
        if rest.starts_with(open) && self.language.extensions.iter().any(|e| e == "rs") {
            self.state = State::Block(open, close, depth + 1); // comments nest in Rust
            return self.comment(open);
        }
        self.comment(first_char(rest))
    }

    fn text(&mut self, rest: &str, raw: bool, hashes: usize) -> usize {
        if !raw && rest.starts_with('\\') {
            let length = 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            self.source.push(&rest[..length], false, false, true);
            return length;
        }
        let closed =
            rest.starts_with('"') && rest[1..].bytes().take(hashes).filter(|b| *b == b'#').count() == hashes;
        if closed {
            self.state = State::Code;
            return self.both(&rest[..1 + hashes]);
        }
        let first = first_char(rest);
        self.source.push(first, false, false, true);
        first.len()
    }

    fn at_word_start(&self) -> bool {
        !self.source.code.ends_with(|c: char| c.is_alphanumeric() || c == '_')
    }

    fn comment(&mut self, part: &str) -> usize {
        self.source.push(part, false, true, false);
        part.len()
    }

    fn both(&mut self, part: &str) -> usize {
        self.source.push(part, true, false, true);
        part.len()
    }
}

fn first_char(text: &str) -> &str {
    &text[..text.chars().next().map_or(0, char::len_utf8)]
}

/// `r"`, `br#"` and so on: length of the opening and number of hashes.
fn raw_opening(text: &str) -> Option<(usize, usize)> {
    let prefix = ["br", "cr", "r"].into_iter().find(|prefix| text.starts_with(prefix))?;
    let hashes = text[prefix.len()..].bytes().take_while(|byte| *byte == b'#').count();
    text[prefix.len() + hashes..].starts_with('"').then_some((prefix.len() + hashes + 1, hashes))
}

/// Length of a character literal, which is not a lifetime.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    if let Some(escape) = inside.strip_prefix('\\') {
        let end = escape.chars().next()?.len_utf8();
        return Some(3 + end + escape[end..].find('\'')?);
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length + 2)
}

/// Every place where `word` stands in `line` as a whole word. Its ends count as ends of a word only if they are letters.
pub fn has_word(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let (starts, ends) = (word.starts_with(is_part), word.ends_with(is_part));
    line.match_indices(word).any(|(at, _)| {
        let before = !starts || !line[..at].ends_with(is_part);
        before && (!ends || !line[at + word.len()..].starts_with(is_part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::house::testing::house;

    fn split(text: &str) -> Source {
        Source::split(text, &house(&[]).config.language["rust"])
    }

    #[test]
    fn comments_and_texts_are_no_code() {
        let source = split("let a = \"unsafe // no\"; // unsafe\n/* unsafe /* nested */ still */ b");
        assert!(!has_word(&source.code, "unsafe") && !source.code.contains("still"));
        assert!(source.code.ends_with('b'));
        assert!(source.comments.contains("// unsafe") && source.comments.contains("nested"));
        assert!(source.literals.contains("unsafe // no"));
    }

    #[test]
    fn raw_texts_characters_and_lifetimes() {
        let source = split("r#\"a \" unsafe\"# + '\"' + '\\'' fn f<'a>(x: &'a str) { unsafe }");
        assert_eq!(source.code.matches("unsafe").count(), 1);
        assert!(source.code.contains("fn f<'a>(x: &'a str)"));
    }

    #[test]
    fn halves_keep_lines_and_columns() {
        let text = "a // b\n\"c\nd\" e\n";
        let source = split(text);
        for half in [&source.code, &source.comments, &source.literals] {
            assert_eq!(half.lines().count(), text.lines().count());
            assert_eq!(half.len(), text.len());
        }
    }

    #[test]
    fn tests_begin_at_their_module() {
        assert_eq!(split("a\n#[cfg(test)]\nmod tests {\n}\n").tests_from, 1);
        assert_eq!(split("#[cfg(test)]\nmod tests;\nb\n").tests_from, 3);
    }

    #[test]
    fn words_are_whole() {
        assert!(
            has_word("x = unsafe {", "unsafe") && has_word("#![allow(unsafe_code)]", "allow(unsafe_code)")
        );
        assert!(!has_word("#![deny(unsafe_code)]", "unsafe") && !has_word("unsafely", "unsafe"));
    }
}
