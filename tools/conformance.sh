#!/usr/bin/env bash
# Judges the bundled reference service the way any other service is judged: over HTTP, as a process of its own.
#
#   tools/conformance.sh BINARY [flag of `hallmark run` ...]
#
# Starts `BINARY serve` on a port the system chooses, with a key made here, waits until it says where it listens,
# runs `BINARY run` against it, stops it, and exits as `run` did. Nothing is left behind, however it ends.
set -euo pipefail

if [ $# -eq 0 ]; then
	echo "usage: $0 BINARY [flag of 'hallmark run' ...]" >&2
	exit 2
fi
hallmark=$1
shift

# Flags can come from the environment too; a setting meant for another service has no say here.
unset "${!HALLMARK_@}"
export HALLMARK_JOURNAL=none

# How long the service may take to come up, and to go down once asked, in twentieths of a second.
up_within=${UP_WITHIN:-300}
down_within=100

dir=$(mktemp -d "${TMPDIR:-/tmp}/hallmark.XXXXXX")
key_file=$dir/key
url_file=$dir/url
log=$dir/serve.log
server=
run=

alive() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }

# stop PID: asks the process to end, and ends it if it will not.
stop() {
	alive "$1" || return 0
	kill -TERM "$1" 2>/dev/null || true
	local i
	for ((i = 0; i < down_within; i++)); do
		alive "$1" || return 0
		sleep 0.05
	done
	echo "conformance: process $1 did not stop when asked; killed" >&2
	kill -KILL "$1" 2>/dev/null || true
}

clean_up() {
	trap '' INT TERM HUP
	stop "$run"
	stop "$server"
	wait
	rm -rf "$dir"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

give_up() {
	echo "conformance: $1" >&2
	if [ -s "$log" ]; then
		echo "conformance: the last the service said:" >&2
		tail -n 20 "$log" >&2
	fi
	exit 3
}

(umask 077 && od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$key_file")

"$hallmark" serve --addr 127.0.0.1:0 --api-key-file "$key_file" --url-file "$url_file" >"$log" 2>&1 &
server=$!

for ((i = 0; ; i++)); do
	[ -s "$url_file" ] && break
	alive "$server" || give_up "the reference service ended before it was ready"
	((i < up_within)) || give_up "the reference service was not ready within $((up_within / 20)) seconds"
	sleep 0.05
done

# In the background and waited for, so that a signal is acted on at once and not after the run.
"$hallmark" run --base-url "$(cat "$url_file")" --api-key-file "$key_file" "$@" &
run=$!
code=0
wait "$run" || code=$?
run=

if ! alive "$server"; then
	echo "conformance: the reference service ended during the run" >&2
	[ "$code" -ne 0 ] || code=3
	tail -n 20 "$log" >&2
fi
exit "$code"
