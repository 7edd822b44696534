#!/usr/bin/env bash
# Builds what a release holds, from a clean tree, into a folder: an archive for each system, checksums, and an SBOM. The same commit gives the
# same bytes, wherever it is built with the same Go (tools/release.sh --check builds twice and compares).
#
#   tools/release.sh v1.2.3 [FOLDER]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ "${1:-}" = --check ]; then
	one=$(mktemp -d) two=$(mktemp -d)
	trap 'rm -rf "$one" "$two"' EXIT
	"$0" v0.0.0-check "$one" >/dev/null
	GOCACHE=$two/cache "$0" v0.0.0-check "$two/out" >/dev/null
	diff "$one/SHA256SUMS" "$two/out/SHA256SUMS" && echo 'two builds are equal, byte for byte'
	exit
fi

version=${1:?"usage: tools/release.sh VERSION [FOLDER]"}
out=${2:-bin/release}
case $version in v[0-9]*.[0-9]*.[0-9]*) ;; *) echo "release.sh: $version is no version such as v1.2.3" >&2; exit 2 ;; esac
[ -z "$(git status --porcelain --untracked-files=no)" ] || { echo 'release.sh: the tree has changes that are not committed' >&2; exit 2; }
# sbom BINARY: the modules of a binary as CycloneDX.
sbom() {
	go version -m "$1" | awk -v version="$version" -v moment="$(date -u -d "@$moment" +%Y-%m-%dT%H:%M:%SZ)" '
		$1 == "mod" { main = $2 }
		$1 == "dep" { n++; name[n] = $2; at[n] = $3 }
		END {
			printf "{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n"
			printf "  \"metadata\": {\"timestamp\": \"%s\", \"component\": {\"type\": \"application\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:golang/%s@%s\"}},\n", moment, main, version, main, version
			printf "  \"components\": [\n"
			for (i = 1; i <= n; i++)
				printf "    {\"type\": \"library\", \"name\": \"%s\", \"version\": \"%s\", \"purl\": \"pkg:golang/%s@%s\"}%s\n", name[i], at[i], name[i], at[i], i < n ? "," : ""
			printf "  ]\n}\n"
		}'
}

# manual BINARY [COMMAND]: the whole help of a command as a page of man.
manual() {
	local title=HALLMARK${2:+-${2^^}}
	printf '.TH %s 1 "" "hallmark %s" "hallmark"\n.SH NAME\nhallmark%s \\- judge HTTP services by their OpenAPI documents\n.SH DESCRIPTION\n.nf\n' "$title" "$version" "${2:+ $2}"
	{ "$1" ${2:+"$2"} --help-all 2>/dev/null || "$1" ${2:+"$2"} --help; } | sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'
	printf '.fi\n'
}

platforms=${PLATFORMS:-"linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"}
moment=$(git log -1 --format=%ct)
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -rf "$out"/hallmark_* "$out/completions" "$out/man" "$out/SHA256SUMS"

for platform in $platforms; do
	os=${platform%/*} arch=${platform#*/}
	folder=hallmark_${version#v}_${os}_${arch}
	stage=$(mktemp -d)
	name=hallmark
	[ "$os" != windows ] || name=hallmark.exe
	mkdir -p "$stage/$folder"
	GOOS=$os GOARCH=$arch CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags=nomsgpack -ldflags "-s -w -X main.version=$version" -o "$stage/$folder/$name" ./cmd/hallmark
	cp LICENSE NOTICE README.md CHANGELOG.md "$stage/$folder"
	if [ "$platform" = "$(go env GOHOSTOS)/$(go env GOHOSTARCH)" ]; then
		host=$stage/$folder/$name
		mkdir -p "$out/completions" "$out/man"
		for shell in bash zsh fish powershell; do "$host" completion "$shell" >"$out/completions/hallmark.$shell"; done
		manual "$host" >"$out/man/hallmark.1"
		for command in $("$host" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do manual "$host" "$command" >"$out/man/hallmark-$command.1"; done
		sbom "$host" >"$out/hallmark_${version#v}.cdx.json"
	fi
	tar --sort=name --mtime="@$moment" --owner=0 --group=0 --numeric-owner --mode=u+rwX,go=rX -C "$stage" -cf - "$folder" | gzip -n9 >"$out/$folder.tar.gz"
	rm -rf "$stage"
	echo "$folder.tar.gz $(($(wc -c <"$out/$folder.tar.gz") >> 20)) MiB"
done
(cd "$out" && sha256sum hallmark_* completions/* man/* >SHA256SUMS)
