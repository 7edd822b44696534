#!/bin/sh
# Judges a PowerDNS of its own by the document that it serves itself: judge.sh [FLAG of hallmark run]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=${PORT:-18081}
work=$(mktemp -d)
"$here/serve.sh" "$port" >"$work/log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null; rm -rf "$work"' EXIT
tries=0
until curl -fs -H 'X-API-Key: secret-pdns' "http://127.0.0.1:$port/api/docs" -o "$work/api.yaml"; do
	tries=$((tries + 1))
	[ $tries -lt 50 ] || { cat "$work/log" >&2; exit 3; }
	sleep 0.2
done
HALLMARK_API_KEY=secret-pdns "${HALLMARK:-hallmark}" run --contract "$work/api.yaml" --base-url "http://127.0.0.1:$port/api/v1" \
	--max-sensitive 1000 --values-file "$here/values.yaml" --deviations "$here/deviations.yaml" --journal "$work/journal" "$@"
