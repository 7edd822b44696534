#!/usr/bin/env bash
# Judges the service, and ends as hallmark ends: any code but 0 fails the job. hallmark itself writes the annotations and the summary.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

reports=$RUNNER_TEMP/hallmark-$ACTION_NAME
rm -rf "$reports"
mkdir -p "$reports"
output reports "$reports"

args=(run)
[ -z "$CONTRACT" ] || args+=(--contract "$CONTRACT")
[ -z "$BASE_URL" ] || args+=(--base-url "$BASE_URL")
[ -z "$TARGET" ] || args+=(--target "$TARGET")
[ -z "$DEVIATIONS" ] || args+=(--deviations "$DEVIATIONS")
if is_true strict "$STRICT"; then args+=(--strict); fi
if is_true require-complete "$REQUIRE_COMPLETE"; then args+=(--require-complete); fi
if is_true require-prose "$REQUIRE_PROSE"; then args+=(--require-prose); fi
[ -z "$REQUIRE_COVERAGE" ] || args+=(--require-coverage "$REQUIRE_COVERAGE")
for format in json:hallmark.json junit:hallmark.xml html:hallmark.html markdown:hallmark.md sarif:hallmark.sarif; do
	args+=(--report "${format%%:*}:$reports/${format#*:}")
done
set -f # words, not patterns
# shellcheck disable=SC2206 # they are to be split
args+=($ARGS)

code=0
"$BINARY" "${args[@]}" || code=$?
output exit-code "$code"
exit "$code"
