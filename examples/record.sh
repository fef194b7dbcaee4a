#!/usr/bin/env bash
# Records examples/web.pcapng again: a client and a web server, each in a network namespace of its own, talk over a
# virtual cable. Needs root, and the programs named below. Nothing leaves the machine: the namespaces have no other
# interface, and the addresses are those reserved for documentation (RFC 5737, RFC 3849).
#
# usage: examples/record.sh [FILE]
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/web.pcapng}
client=ringway-client-$$
server=ringway-server-$$
work=

fail() { echo "record.sh: $*" >&2; exit 1; }

cleanup() {
    trap - EXIT
    for name in "$client" "$server"; do
        ip netns pids "$name" 2>/dev/null | xargs -r kill 2>/dev/null || true
        ip netns delete "$name" 2>/dev/null || true
    done
    wait 2>/dev/null || true
    [ -z "$work" ] || rm -rf "$work"
}

in_client() { ip netns exec "$client" "$@"; }
quietly_in() { ip netns exec "$@" >/dev/null; }

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
    local tries=$(($1 * 20)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$what did not come up; see its messages above"
        sleep 0.05
    done
}

check() {
    [ "$(id -u)" = 0 ] || fail "network namespaces need root: sudo $0"
    local missing=()
    for tool in ip ethtool nginx dnsmasq dig curl ping tcpdump editcap tshark; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    [ ${#missing[@]} = 0 ] || fail "missing: ${missing[*]}; apt-get install iproute2 ethtool nginx-light dnsmasq \
bind9-dnsutils curl iputils-ping tcpdump tshark"
}

# One end of the cable: name, hardware address, IPv4, IPv6. With the offloads off, each frame is on the cable as it
# would be on a wire: not longer than 1514 bytes, and with its checksums filled in.
plug() {
    local space=$1 mac=$2 ip4=$3 ip6=$4
    ip -n "$space" link set lo up
    ip -n "$space" link set eth0 address "$mac" addrgenmode none
    quietly_in "$space" ethtool -K eth0 tx off rx off sg off tso off gso off gro off
    ip -n "$space" address add "$ip4/24" dev eth0
    ip -n "$space" address add "$ip6/64" dev eth0 nodad
    ip -n "$space" link set eth0 up
}

lay_cable() {
    ip netns add "$client"
    ip netns add "$server"
    ip -n "$client" link add eth0 type veth peer name eth0 netns "$server"
    plug "$client" 02:00:00:00:00:01 192.0.2.1 2001:db8::1
    plug "$server" 02:00:00:00:00:02 192.0.2.2 2001:db8::2
    wait_for 5 "the cable" in_client ip route get 2001:db8::2
}

write_pages() {
    mkdir "$work/www"
    chmod 755 "$work" "$work/www"
    {
        echo '<!doctype html><title>Ringway</title><h1>A ring road takes traffic around the city.</h1>'
        for n in $(seq 1 200); do echo "<p>Packet $n went around the kernel.</p>"; done
    } >"$work/www/index.html"
    # Bytes that look random but are the same every time.
    for n in $(seq 1 2400); do echo "ringway $n" | sha256sum | head -c 64; done >"$work/www/data.bin"
    cat >"$work/nginx.conf" <<CONF
daemon off;
master_process off;
pid $work/nginx.pid;
error_log stderr warn;
events {}
http {
    access_log off;
    log_not_found off;
    server_tokens off;
    client_body_temp_path $work/body;
    proxy_temp_path $work/proxy;
    fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi;
    scgi_temp_path $work/scgi;
    server { listen 80; listen [::]:80; root $work/www; }
}
CONF
}

serve() {
    write_pages
    ip netns exec "$server" nginx -e stderr -c "$work/nginx.conf" &
    ip netns exec "$server" dnsmasq --keep-in-foreground --conf-file=/dev/null --pid-file= --user=root --no-resolv --no-hosts \
        --no-dhcp-interface=eth0 --interface=eth0 --bind-interfaces --local=/example/ \
        --host-record=www.example,192.0.2.2,2001:db8::2 --txt-record=www.example,"around the city" &
    wait_for 10 nginx sh -c "ip netns exec $server ss -Hltn 'sport = :80' | grep -q ':80'"
    wait_for 10 dnsmasq sh -c "ip netns exec $server ss -Hlun 'sport = :53' | grep -q ':53'"
}

record() {
    ip netns exec "$client" tcpdump -i eth0 -s 0 -U -Z root --immediate-mode --time-stamp-precision=nano -w "$work/web.pcap" \
        2>"$work/tcpdump.log" &
    recorder=$!
    wait_for 10 tcpdump grep -q 'listening on' "$work/tcpdump.log"
}

get() { in_client curl --silent --show-error --fail --max-time 20 --output /dev/null "$@"; }

talk() {
    in_client ping -q -c 4 -i 0.1 192.0.2.2
    in_client ping -q -c 4 -i 0.1 -s 1400 192.0.2.2
    for type in A AAAA TXT; do in_client dig +short +tries=1 @192.0.2.2 www.example $type; done
    in_client dig +short +tries=1 @192.0.2.2 no-such-name.example
    in_client dig +short +tries=1 +tcp @192.0.2.2 www.example A
    get --resolve www.example:80:192.0.2.2 http://www.example/ -o /dev/null http://www.example/data.bin
    in_client ping -q -c 4 -i 0.1 2001:db8::2
    in_client dig +short +tries=1 @2001:db8::2 www.example AAAA
    get --resolve 'www.example:80:[2001:db8::2]' http://www.example/ -o /dev/null http://www.example/data.bin
    in_client curl --silent --output /dev/null http://192.0.2.2/no-such-page
}

finish() {
    sleep 1
    kill "$recorder"
    wait "$recorder" || true
    editcap -F pcapng "$work/web.pcap" "$work/web.pcapng"
    local bad
    bad=$(tshark -r "$work/web.pcapng" -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE \
        -o udp.check_checksum:TRUE -Y 'ip.checksum.status==0 || tcp.checksum.status==0 ||
            udp.checksum.status==0 || icmp.checksum.status==0 || icmpv6.checksum.status==0 ||
            frame.cap_len < frame.len || frame.len > 1514' 2>/dev/null | wc -l)
    [ "$bad" = 0 ] || fail "$bad packets have bad checksums, are cut off, or are longer than a frame"
    install -m 644 "$work/web.pcapng" "$out"
}

check
trap cleanup EXIT
trap 'exit 130' INT TERM
work=$(mktemp -d)
lay_cable
serve
record
talk >"$work/talk.log" || fail "the client's part failed: $(tail -n 3 "$work/talk.log")"
finish
echo "recorded $(tshark -r "$out" 2>/dev/null | wc -l) packets, $(stat -c %s "$out") bytes, to $out"
