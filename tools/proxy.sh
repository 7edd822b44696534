#!/usr/bin/env bash
# Writes the committed tree as a version of the module into a folder that is a Go module proxy: GOPROXY=file://FOLDER.
#
#   tools/proxy.sh FOLDER v1.2.3
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=${1:?"usage: tools/proxy.sh FOLDER VERSION"}
version=${2:?"usage: tools/proxy.sh FOLDER VERSION"}
module=$(GOWORK=off go list -m)
to=$folder/$(LC_ALL=C sed 's/[A-Z]/!&/g' <<<"$module" | tr A-Z a-z)/@v # the escaping of the protocol
mkdir -p "$to"
nested=()
while read -r file; do # modules of their own are no part of it
	nested+=(":!$(dirname "$file")")
done < <(git ls-files '*/go.mod')
git show HEAD:go.mod >"$to/$version.mod"
git archive --format=zip --prefix="$module@$version/" -o "$to/$version.zip" HEAD -- . "${nested[@]}"
printf '{"Version":"%s","Time":"%s"}\n' "$version" "$(git log -1 --format=%cI)" >"$to/$version.info"
(cd "$to" && for one in *.info; do echo "${one%.info}"; done) >"$to/list"
echo "$to"
