#!/bin/sh
# Judges an Alertmanager of its own by the document of its module: judge.sh [FLAG of hallmark run]...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=${PORT:-18093}
work=$(mktemp -d)
"$here/serve.sh" "$port" >"$work/log" 2>&1 &
service=$!
trap 'kill $service 2>/dev/null; rm -rf "$work"' EXIT
module=$(cd "$work" && GOFLAGS= go mod download -json github.com/prometheus/alertmanager@v0.28.1 | sed -n 's/.*"Dir": "\(.*\)",*/\1/p')
cp "$module/api/v2/openapi.yaml" "$work/api.yaml"
tries=0
until curl -fs "http://127.0.0.1:$port/-/ready" -o "$work/ready"; do
	tries=$((tries + 1))
	[ $tries -lt 50 ] || { cat "$work/log" >&2; exit 3; }
	sleep 0.2
done
"${HALLMARK:-hallmark}" run --contract "$work/api.yaml" --base-url "http://127.0.0.1:$port/api/v2" \
	--rules-file "$here/rules.yaml" --deviations "$here/deviations.yaml" --journal "$work/journal" "$@"
