#!/usr/bin/env bash
# Puts hallmark into a folder, unless the cache or an earlier job did: a release whose checksum is right, else built from the source of the
# action.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

name=hallmark
case $PLATFORM in windows_*) name=hallmark.exe ;; esac
binary=$FOLDER/$name
output binary "$binary"
if [ -x "$binary" ]; then
	"$binary" version
	exit
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

address=$GITHUB_SERVER_URL/$REPOSITORY/releases/download/$VERSION

# released: whether there is such a release; it fetches the checksums. An error other than that there is none ends the job.
released() {
	local status
	status=$(curl --silent --show-error --location --retry 3 --output "$work/SHA256SUMS" --write-out '%{http_code}' "$address/SHA256SUMS") ||
		fail "$address/SHA256SUMS cannot be fetched; curl says why above"
	case $status in
		200) return 0 ;;
		404) return 1 ;;
		*) fail "$address/SHA256SUMS was answered with status $status; run the job again later" ;;
	esac
}

# download: takes the release, if its checksum is right.
download() {
	local folder=hallmark_${VERSION#v}_$PLATFORM archive wanted got
	case $PLATFORM in windows_*) archive=$folder.zip ;; *) archive=$folder.tar.gz ;; esac
	wanted=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
	[ -n "$wanted" ] || fail "the release $VERSION has no $archive"
	curl --silent --show-error --location --fail --retry 3 --output "$work/$archive" "$address/$archive" || fail "$address/$archive cannot be fetched; curl says why above"
	if command -v sha256sum >/dev/null; then got=$(sha256sum <"$work/$archive"); else got=$(shasum -a 256 <"$work/$archive"); fi
	[ "${got%% *}" = "$wanted" ] || fail "$archive has another checksum than SHA256SUMS says: ${got%% *}, not $wanted; it was altered or damaged on the way, and is not used"
	cd "$work"
	case $archive in *.zip) unzip -q "$archive" ;; *) tar -xzf "$archive" ;; esac
	mkdir -p "$FOLDER"
	mv "$folder/$name" "$binary"
}

# build: makes it of the sources that came with the action. A Go that is too old for them fetches the one that they need.
build() {
	command -v go >/dev/null || fail 'hallmark is built from source here, which needs Go: let actions/setup-go run before, or use the action by the name of a release'
	mkdir -p "$FOLDER"
	cd "$ACTION_PATH"
	env GOFLAGS= GOTOOLCHAIN=auto GOOS= GOARCH= CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags=nomsgpack -ldflags "-s -w -X main.version=$ID" -o "$binary" ./cmd/hallmark
}

if [ -n "$VERSION" ] && released; then
	download
elif [ -n "$ACTION_VERSION" ]; then
	fail "$REPOSITORY has no release $ACTION_VERSION"
else
	build
fi
"$binary" version
