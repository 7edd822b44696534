#!/usr/bin/env bash
# Says in one comment on the pull request what the newest run found. The comment is found again by a marker that readers do not see. That it
# cannot be written is a warning: it is no verdict on the service.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

longest=65536 # characters of a comment; there are at most as many as bytes
marker="<!-- hallmark: $ACTION_NAME -->"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
body=$work/body

{
	echo "$marker"
	if [ -s "$REPORTS/hallmark.md" ]; then
		cat "$REPORTS/hallmark.md"
	else
		printf '## Nothing was judged\n\nhallmark ended with exit code %s; the log of the job says why.\n' "${EXIT_CODE:-unknown}"
	fi
} >"$body"
printf '\n%s at %s, [the run](%s/%s/actions/runs/%s)\n' "$ACTION_NAME" "$COMMIT" "$GITHUB_SERVER_URL" "$GITHUB_REPOSITORY" "$GITHUB_RUN_ID" >"$work/end"
if [ -s "$REPORTS/diff.md" ]; then
	{ echo && cat "$REPORTS/diff.md"; } >"$work/diff"
	if [ $(($(cat "$body" "$work/diff" "$work/end" | wc -c))) -gt $longest ]; then
		printf '\nHow the contract changes does not fit in here; the summary of the job has it.\n' >"$work/diff"
	fi
	cat "$work/diff" >>"$body"
fi
cat "$work/end" >>"$body"

command -v gh >/dev/null || { warn 'the pull request gets no comment: gh, which writes it, is not installed on this runner'; exit; }

# An own server of GitHub has a variable of its own for the token.
export GH_HOST=${GITHUB_SERVER_URL#*://} GH_ENTERPRISE_TOKEN=$GH_TOKEN

# Only a comment of our own counts: somebody else may have written the marker.
# shellcheck disable=SC2016 # variables of GraphQL
query='query($owner: String!, $name: String!, $number: Int!, $endCursor: String) {
	repository(owner: $owner, name: $name) { pullRequest(number: $number) { comments(first: 100, after: $endCursor) {
		nodes { databaseId viewerDidAuthor body } pageInfo { hasNextPage endCursor }
	} } }
}'
{
	gh api graphql --paginate -f query="$query" -f owner="${GITHUB_REPOSITORY%%/*}" -f name="${GITHUB_REPOSITORY#*/}" -F number="$PULL_REQUEST" \
		--jq ".data.repository.pullRequest.comments.nodes[] | select(.viewerDidAuthor and (.body | startswith(\"$marker\"))) | .databaseId" >"$work/ids" &&
		id=$(head -n 1 "$work/ids") &&
		if [ -n "$id" ]; then
			gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$body"
		else
			gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" -F "body=@$body"
		fi
} || warn 'the pull request gets no comment; gh says why above. If it lacks permission, the job needs pull-requests: write, which that of a pull request from a fork never has'
