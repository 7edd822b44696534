#!/bin/sh
# Serves Alertmanager at a port of this machine: serve.sh PORT. Its binary comes from
#   go install github.com/prometheus/alertmanager/cmd/alertmanager@v0.28.1
set -eu
dir=$(mktemp -d)
printf 'route: {receiver: none}\nreceivers: [{name: none}]\n' >"$dir/alertmanager.yml"
exec "${ALERTMANAGER:-alertmanager}" --config.file="$dir/alertmanager.yml" --storage.path="$dir/data" --web.listen-address="127.0.0.1:$1" --cluster.listen-address= --log.level=error
