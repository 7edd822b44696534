#!/usr/bin/env bash
# Decides which hallmark a job gets, so that a cache can be asked for it: a release, or what the source of the action builds.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case $RUNNER_OS in
	Linux) os=linux ;;
	macOS) os=darwin ;;
	Windows) os=windows ;;
	*) fail "there is no hallmark for $RUNNER_OS" ;;
esac
case $RUNNER_ARCH in
	X64) arch=amd64 ;;
	ARM64) arch=arm64 ;;
	*) fail "there is no hallmark for $RUNNER_ARCH" ;;
esac
case $ACTION_NAME in
	'' | *[!A-Za-z0-9._-]*) fail "name is \"$ACTION_NAME\"; it can have letters, digits, dots, hyphens and underscores" ;;
esac

# Runners leave github.action_ref and github.action_repository empty in some places; the folder of the action has both names, too.
ref=$ACTION_REF repository=$ACTION_REPOSITORY
path=${ACTION_PATH//\\//}
case $path in
	*/_actions/*/*/*)
		path=${path##*/_actions/}
		repository=${repository:-$(echo "$path" | cut -d/ -f1-2)}
		ref=${ref:-$(echo "$path" | cut -d/ -f3-)}
		;;
esac

is_release() { echo "$1" | grep -Eqx 'v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?'; }

# A release is taken where it is asked for, and where the action is used by the name of one. Whoever uses it by a commit has pinned the
# sources, and gets what they build.
version=
if [ -n "$ACTION_VERSION" ]; then
	is_release "$ACTION_VERSION" || fail "version is \"$ACTION_VERSION\"; it is the name of a release, such as v1.2.3"
	[ -n "$repository" ] || fail "version is given, but the repository with the releases is not known; use the action as owner/repository@reference"
	version=$ACTION_VERSION
elif is_release "$ref" && [ -n "$repository" ]; then
	version=$ref
fi

if [ -n "$version" ]; then
	id=$version
else
	sum='shasum -a 256'
	if command -v sha256sum >/dev/null; then sum=sha256sum; fi
	# shellcheck disable=SC2086 # a command and its flags
	id=source-$(cd "$ACTION_PATH" && find . -type f -not -path './.git/*' -not -path './bin/*' -exec $sum {} + | LC_ALL=C sort | $sum | cut -c1-16)
fi
output id "$id"
output version "$version"
output repository "$repository"
output platform "${os}_$arch"
output key "hallmark-$os-$arch-$id"
output folder "${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/hallmark/$id/$arch"
