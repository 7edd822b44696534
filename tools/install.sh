#!/usr/bin/env bash
# Installs and embeds the committed tree as somebody else would: from a module proxy, in an empty folder outside the tree.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

module=$(GOWORK=off go list -m)
version=v0.0.0-$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S)-$(git rev-parse --short=12 HEAD)
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
tools/proxy.sh "$place/proxy" "$version" >/dev/null
tree=$PWD

export GOWORK=off GOPROXY="file://$place/proxy,$(go env GOPROXY)" GONOSUMDB=$module CGO_ENABLED=0 GOFLAGS='-trimpath -buildvcs=false -tags=nomsgpack' GOBIN=$place/bin
mkdir "$place/empty"
cd "$place/empty"
SECONDS=0
go install "$module/cmd/hallmark@latest"
echo "installed in $SECONDS s: $("$place/bin/hallmark" version | head -1), $(($(wc -c <"$place/bin/hallmark") >> 20)) MiB"
case $("$place/bin/hallmark" version) in
	*"$version"*) ;;
	*) echo "install.sh: the program does not say its version, $version" >&2; exit 1 ;;
esac

# The example as a module that gets hallmark from the proxy, and not from beside it.
cp -r "$tree/examples/gotest/." .
go mod edit -dropreplace "$module" -require "$module@$version"
GOFLAGS="$GOFLAGS -mod=mod" go mod tidy >/dev/null 2>&1
SECONDS=0
go test -count=1 ./...
echo "embedded in $SECONDS s"
