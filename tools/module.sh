#!/usr/bin/env bash
# Gives the module another path, for whoever publishes it elsewhere: in go.mod, in every import, and wherever a page or a setting names it.
# Needs Go and git, and no tools of GNU.
#
#   tools/module.sh host.example/owner/hallmark
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

new=${1:?"usage: tools/module.sh host.example/owner/hallmark"}
old=$(GOWORK=off go list -m)
case $new in
	*.*/*/hallmark | *.*/hallmark) ;;
	*) echo "module.sh: $new is no path of a forge: a host with a dot comes first, and hallmark, the name of the package, last" >&2; exit 2 ;;
esac
changed=$(mktemp)
trap 'rm -f "$changed"' EXIT
replace() { # replace OLD NEW in all files; what sed wrote is copied back, since not every sed has -i, and a file keeps its mode
	{ git grep -lF "$1" -- ':!CHANGELOG.md' || true; } | while read -r file; do
		[ ! -L "$file" ] || continue
		sed "s|${1//./\\.}|$2|g" "$file" >"$changed"
		cat "$changed" >"$file"
	done
}
replace "$old" "$new"
replace "uses: ${old#*/}@" "uses: ${new#*/}@" # workflows name the repository of the action without its host
git ls-files '*.go' | grep -v /testdata/ | xargs gofmt -l -w >/dev/null # imports are sorted
GOWORK=off go build ./...
echo "the module is $new now; look at git diff, and commit it"
