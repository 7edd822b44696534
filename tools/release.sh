#!/usr/bin/env bash
# Builds what a release holds, from a clean tree, into a folder: for each system an archive (the program, completions, pages of man) and a bill
# of materials, and the checksums of all. The same commit gives the same bytes, wherever it is built with the same Go. Needs Go and git, and no
# tools of GNU: it runs in bash 3.2 on macOS, too.
#
#   tools/release.sh v1.2.3 [FOLDER]    PLATFORMS='linux/amd64 …' builds some of the systems
#   tools/release.sh --check            builds twice, the second time with an empty build cache, and compares
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

if [ "${1:-}" = --check ]; then
	"$PWD/tools/release.sh" v0.0.0-check "$stage/one" >/dev/null
	GOCACHE=$stage/cache "$PWD/tools/release.sh" v0.0.0-check "$stage/two" >/dev/null
	diff -r "$stage/one" "$stage/two" && echo 'two builds are equal, byte for byte'
	exit
fi

version=${1:?"usage: tools/release.sh VERSION [FOLDER]"}
out=${2:-bin/release}
case $version in v[0-9]*.[0-9]*.[0-9]*) ;; *) echo "release.sh: $version is no version such as v1.2.3" >&2; exit 2 ;; esac
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo 'release.sh: the tree has changes that are not committed' >&2; exit 2; }
platforms=${PLATFORMS:-"linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"}
moment=$(git log -1 --format=%ct)

# The settings of whoever builds do not count: static programs, from the modules of go.sum.
export CGO_ENABLED=0 GOFLAGS= GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT=
build() { # build OS ARCH FILE
	GOOS=$1 GOARCH=$2 go build -trimpath -buildvcs=false -tags=nomsgpack -ldflags "-s -w -X main.version=$version" -o "$3" ./cmd/hallmark
}

GOOS= GOARCH= go build -trimpath -buildvcs=false -o "$stage/release" ./tools/release
build '' '' "$stage/host"
mkdir -p "$stage/out" "$stage/shared/completions" "$stage/shared/man"
for shell in bash zsh fish; do "$stage/host" completion "$shell" >"$stage/shared/completions/hallmark.$shell"; done
"$stage/host" completion powershell >"$stage/shared/completions/hallmark.ps1"
"$stage/release" manual "$stage/host" "$version" "$stage/shared/man"
cp LICENSE NOTICE README.md CHANGELOG.md "$stage/shared"

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/} name=hallmark kind=tar.gz
	[ "$os" != windows ] || { name=hallmark.exe kind=zip; }
	folder=hallmark_${version#v}_${os}_${arch}
	cp -R "$stage/shared" "$stage/$folder"
	build "$os" "$arch" "$stage/$folder/$name"
	"$stage/release" sbom "$stage/$folder/$name" "$version" "$moment" NOTICE >"$stage/out/$folder.cdx.json"
	"$stage/release" archive "$stage/out/$folder.$kind" "$moment" "$stage/$folder"
	echo "$folder.$kind $(($(wc -c <"$stage/out/$folder.$kind") >> 20)) MiB"
	rm -rf "${stage:?}/$folder"
done
"$stage/release" sums "$stage/out" >"$stage/sums"
mkdir -p "$out"
rm -f "$out"/hallmark_* "$out/SHA256SUMS"
mv "$stage"/out/* "$out"
mv "$stage/sums" "$out/SHA256SUMS"
