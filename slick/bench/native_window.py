# SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause
"""One window: a fresh service, the load against it, and who else used the processors meanwhile."""
import json
import os
import select
import subprocess
import sys

PORT, CONTROL = 7701, 7702
TICKS = os.sysconf('SC_CLK_TCK')
WAIT = 5        # seconds for a service to say that it listens, or to end
DRAIN = 20      # seconds that a load may need besides its window
FLUSH = {'message': 'message', 'read': '1', 'read8': '8'}
STEPS = 14      # of a search for a knee


def processes():
    """pid: (parent, processor seconds with those of children that have ended), of all that are not kernel threads."""
    found = {}
    for name in os.listdir('/proc'):
        if not name.isdigit():
            continue
        try:
            with open(f'/proc/{name}/stat') as file:
                fields = file.read().rsplit(')', 1)[1].split()
        except OSError:
            continue
        if fields[1] != '2' and name != '2':
            found[int(name)] = (int(fields[1]), sum(map(int, fields[11:15])) / TICKS)
    return found


def foreign_seconds(before, after):
    """What processes that are neither this one nor started by it have used in between."""
    def others(table):
        ours = {os.getpid()}
        while True:
            more = {pid for pid, (parent, _) in table.items() if parent in ours} - ours
            if not more:
                return sum(used for pid, (_, used) in table.items() if pid not in ours)
            ours |= more
    return max(0.0, others(after) - others(before))


def busy():
    """Seconds that processors 0 and 1 were busy, and seconds stolen from all, since the start of the machine."""
    seconds, stolen = {}, 0.0
    with open('/proc/stat') as file:
        for line in file:
            words = line.split()
            if words[0] == 'cpu':
                stolen = int(words[8]) / TICKS
            if words[0] in ('cpu0', 'cpu1'):
                numbers = list(map(int, words[1:9]))
                seconds[words[0]] = (sum(numbers) - numbers[3] - numbers[4]) / TICKS
    return seconds['cpu0'], seconds['cpu1'], stolen


class Windows:
    def __init__(self, place, options):
        self.place, self.options = place, options
        self.all, self.missing = [], {}
        self.service = None

    def program(self, name):
        return os.path.join(self.options.build, name)

    def command(self, service, mode, name, size):
        words = [self.program(f'slick-{service}' + ('-bpf' if name == 'bpf' else '')), '--port', str(PORT)]
        if service == 'forward':
            words += ['--control', str(CONTROL)]
        if name != 'bpf':
            words += ['--loop', name]
            words += ['--flush', FLUSH[mode]] if service == 'forward' else []
        elif service == 'echo':
            words += ['--path', 'strparser' if mode == 'message' else 'verdict']
        if service == 'echo' and mode == 'message':
            words += ['--chunk', str(size)]
        return words

    def start(self, words):
        if not os.path.exists(words[0]) or not os.path.getsize(words[0]):
            raise RuntimeError('it was not built')
        self.service = subprocess.Popen(self.place.server + words, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        preexec_fn=lambda: os.sched_setaffinity(0, {0}))
        ready, _, _ = select.select([self.service.stdout], [], [], WAIT)
        line = self.service.stdout.readline() if ready else ''
        if not line.startswith('listening'):
            self.service.kill()
            why = self.service.communicate()[1].strip().split('\n')[-1]
            self.service = None
            raise RuntimeError(why or 'it does not say that it listens')

    def stop(self):
        if not self.service:
            return
        self.service.terminate()
        try:
            self.service.communicate(timeout=WAIT)
        except subprocess.TimeoutExpired:
            self.service.kill()
            self.service.communicate()
        self.service = None

    def load(self, service, size, rate):
        words = [self.program('slickload'), service, self.place.address, str(PORT)]
        if service == 'forward':
            words += [str(CONTROL), '--payload', str(size), '--senders', '8', '--backends', '20']
        else:
            words += ['--size', str(size), '--connections', '8', '--depth', '32']
        words += ['--seconds', str(self.options.seconds), '--cpu', '1', '--patience', '2']
        words += ['--rate', str(rate)] if rate else []
        load = subprocess.Popen(self.place.client + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            out, err = load.communicate(timeout=self.options.seconds + DRAIN)
        except subprocess.TimeoutExpired:
            return None, f'the load did not end {DRAIN} seconds behind its window'
        finally:
            if load.poll() is None:
                load.kill()
                load.communicate()
        if not out.startswith('{'):
            return None, err.strip().split('\n')[-1] or f'the load ended with {load.returncode}'
        return json.loads(out), None

    def once(self, service, mode, name, size, at, rate):
        self.start(self.command(service, mode, name, size))
        begun, used = processes(), busy()
        clock = os.times().elapsed
        result, why = self.load(service, size, rate)
        elapsed = max(os.times().elapsed - clock, 0.01)
        ended, now = processes(), busy()
        self.stop()
        foreign = (foreign_seconds(begun, ended) + now[2] - used[2]) / elapsed
        kept = foreign <= self.options.foreign
        window = {
            'service': service, 'mode': mode, 'contender': name, 'size': size, 'load': 'open' if rate else 'flood',
            'round': at, 'offered': rate, 'rate': result['messages'] * 1e9 / result['nanoseconds'] if result else None,
            'foreign': round(foreign, 3), 'busy': [round((now[i] - used[i]) / elapsed, 3) for i in (0, 1)],
            'kept': kept, 'why': why, 'result': result,
        }
        self.all.append(window)
        return window

    def window(self, service, mode, name, size, at=0, rate=None):
        """The first undisturbed window of some tries, or None."""
        who = f'{service}-{name}' if name == 'bpf' else name
        if who in self.missing:
            return None
        for _ in range(self.options.tries):
            try:
                window = self.once(service, mode, name, size, at, rate)
            except RuntimeError as error:
                self.missing[who] = str(error)
                return None
            if window['why']:
                print(f"{service} {mode} {name} {size}: {window['why']}", file=sys.stderr)
            if window['kept']:
                return window
        print(f'{service} {mode} {name} {size}: disturbed {self.options.tries} times', file=sys.stderr)
        return None

    def flood(self, service, mode, name, size, at):
        self.window(service, mode, name, size, at)

    def verdict(self, window):
        """Why this rate is too much, or None."""
        result = window['result']
        if not result:
            return window['why']
        if result['lost'] or result['wrong'] or result['reordered'] or result['failed']:
            return 'messages were lost'
        if result['sent'] < 0.98 * result['due']:
            return 'it could not be sent in time'
        if result['messages'] < 0.98 * result['sent']:
            return 'messages were late beyond the window'
        if result['latency_us']['p99'] > self.options.p99:
            return f"99th percentile above {self.options.p99:g} us"
        return None

    def step(self, service, mode, name, size, rate):
        """A rate is too much only where it was so twice: a single stall of the machine is nobody's knee."""
        for _ in range(2):
            window = self.window(service, mode, name, size, rate=rate)
            problem = window and self.verdict(window)
            if not problem:
                break
        return window, problem

    def knee(self, service, mode, name, size, rate):
        good, bad, why, p99 = None, None, None, None
        refinements = 0
        for _ in range(STEPS):
            window, problem = self.step(service, mode, name, size, max(rate, 100))
            if not window:
                break
            if problem:
                bad, why = rate, problem
            else:
                good, p99 = rate, window['result']['latency_us']['p99']
            if good and bad:
                refinements += 1
                if refinements > 2:
                    break
                rate = int((good * bad) ** 0.5)
            else:
                rate = int(rate / 2) if bad else int(rate * 1.3)
        else:
            why = why or 'it did not break'
        if good is None and bad is None:
            return None
        return {'service': service, 'mode': mode, 'contender': name, 'size': size, 'knee': good, 'broke': bad,
                'why': why, 'p99_us': p99}
