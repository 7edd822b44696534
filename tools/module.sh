#!/usr/bin/env bash
# Gives the module another path, for whoever publishes it elsewhere: in go.mod, in every import, and wherever a page or a setting names it.
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
git grep -lF "$old" -- ':!CHANGELOG.md' | while read -r file; do
	[ -L "$file" ] || sed -i "s|${old//./\\.}|$new|g" "$file"
done
# Workflows name the repository of the action without its host.
git grep -lF "uses: ${old#*/}@" | while read -r file; do sed -i "s|uses: ${old#*/}@|uses: ${new#*/}@|g" "$file"; done
gofmt -l -w $(git ls-files '*.go' | grep -v /testdata/) >/dev/null # imports are sorted
GOWORK=off go build ./...
echo "the module is $new now; look at git diff, and commit it"
