#!/usr/bin/env bash
# Compares the contract with that of another branch, and adds what changes to the summary of the job.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

gate=
if is_true fail-on-breaking "$FAIL_ON_BREAKING"; then gate=--check; fi
if [ -z "$DIFF_BASE" ] || [ "$DIFF_BASE" = none ]; then
	[ -z "$gate" ] || [ "$DIFF_BASE" = none ] || warn 'nothing is compared: this is no pull request, and diff-base is not given'
	exit
fi
if [ -z "$CONTRACT" ] || [ ! -f "$CONTRACT" ]; then
	[ -z "$gate" ] || fail "fail-on-breaking compares the file that the input contract names; it names ${CONTRACT:-none}"
	exit
fi

# cannot MESSAGE: says what keeps the contracts from being compared, which fails the job only where breaking changes would.
cannot() {
	[ -z "$gate" ] || fail "$1"
	warn "$1"
	exit
}

depth=
[ "$(git rev-parse --is-shallow-repository 2>/dev/null)" != true ] || depth=--depth=1
# shellcheck disable=SC2086 # no argument where it is empty
git fetch --quiet --no-tags $depth -- origin "$DIFF_BASE" || cannot "$DIFF_BASE cannot be fetched, so the contract is not compared with it; is the repository checked out, with its credentials?"

# The document and its folder, or all of it where a reference may lead elsewhere.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
contract=${CONTRACT#"${GITHUB_WORKSPACE:-/nowhere}"/}
contract=${contract#./}
case /$contract/ in //* | */../*) cannot "the input contract has to be a path within the repository to be compared, and is $CONTRACT" ;; esac
part=$(dirname "$contract")
remote=
case " $ARGS ${HALLMARK_ALLOW_REMOTE:-false} " in *' --allow-remote '* | *' true ') remote=--allow-remote part=. ;; esac
if ! git cat-file -e "FETCH_HEAD:$contract" 2>/dev/null; then
	printf '### %s\n\nIt is not in %s yet.\n' "$contract" "$DIFF_BASE" >"$REPORTS/diff.md"
	cat "$REPORTS/diff.md" >>"$GITHUB_STEP_SUMMARY"
	exit
fi
git archive FETCH_HEAD "$part" | tar -x -f - -C "$work"

code=0
# shellcheck disable=SC2086 # no argument where it is empty
"$BINARY" diff "$work/$contract" "$CONTRACT" $gate $remote >"$work/text" 2>"$work/errors" || code=$?
case $code in
	0 | 1) ;;
	*) cannot "$contract cannot be compared with that of $DIFF_BASE: $(sed -e "s|$work/||g" -e 's/^hallmark: //' "$work/errors")" ;;
esac
{
	printf '### Changes of %s since %s\n\n' "$contract" "$DIFF_BASE"
	sed -e "1s|^$work/||" -e 's/^/    /' "$work/text" # indented, it is code, whatever is in it
} >"$REPORTS/diff.md"
{ echo && cat "$REPORTS/diff.md"; } >>"$GITHUB_STEP_SUMMARY"
[ "$code" -eq 0 ] || echo "::error title=hallmark diff,file=$contract::$(escaped "$(sed -e 's/^hallmark: //' -e 's/ between .* and .*//' "$work/errors"), since $DIFF_BASE; the summary of the job lists the changes")"
exit "$code"
