#!/usr/bin/env bash
# Runs every fuzz target of the module for a while, one after the other (go test fuzzes one at a time).
#
#   tools/fuzz.sh TIME [flag of `go test` ...]
#
# An input that breaks a target is kept by go test under testdata/fuzz/ of its package: commit it with the fix.
set -euo pipefail

time=${1:?usage: tools/fuzz.sh TIME, such as 20s}
shift

targets=0
failed=()
while IFS=: read -r file target; do
	[ -n "$target" ] || continue
	targets=$((targets + 1))
	package=./$(dirname "$file")
	echo "== $package $target, $time"
	go test "$@" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 5s "$package" || failed+=("$package $target")
done < <(grep -rHoE --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed 's|^\./||; s/:func /:/' | sort)

if [ "$targets" -eq 0 ]; then
	echo "fuzz: no fuzz target found" >&2
	exit 1
fi
if [ ${#failed[@]} -gt 0 ]; then
	printf 'fuzz: failed: %s\n' "${failed[@]}" >&2
	exit 1
fi
echo "fuzz: $targets targets held for $time each"
