#!/bin/sh
# A suite of a few lines: books.sh URL KEY. It exits with 1 at the first response that is not as it should be.
set -eu
url=$1 key=$2

answers() { # answers STATUS CURL-ARGUMENTS…
	want=$1
	shift
	got=$(curl -s -o "$body" -w '%{http_code}' "$@")
	test "$got" = "$want" || { echo "status $got, want $want: $*" >&2; exit 1; }
}

body=$(mktemp)
trap 'rm -f "$body"' EXIT
title="Book $$ $(date +%s%N)"

answers 200 "$url/books?limit=2"
answers 201 -X POST -H "X-Staff-Key: $key" -H 'Content-Type: application/json' -d "{\"title\":\"$title\",\"pages\":120,\"genre\":\"novel\"}" "$url/books"
id=$(sed -n 's/.*"id": *\([0-9]*\).*/\1/p' "$body")
answers 200 "$url/books/$id"
grep -q "$title" "$body"
answers 204 -X DELETE -H "X-Staff-Key: $key" "$url/books/$id"
answers 404 "$url/books/$id"
