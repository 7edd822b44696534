#!/usr/bin/env bash
# Tries what the Containerfile makes without an engine for containers: its root file system, under chroot, as its user, who can write
# nothing. Needs root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

root=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null; rm -rf "$root"' EXIT
chmod 755 "$root"
CGO_ENABLED=0 go build -trimpath -buildvcs=false -tags=nomsgpack -ldflags '-s -w -X main.version=container' -o "$root/hallmark" ./cmd/hallmark
mkdir -p "$root/etc/ssl/certs" "$root/work"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || echo 'container.sh: this machine has no certificates to copy' >&2
cp spec/petstore/openapi.yaml "$root/work/api.yaml"
chroot=$(command -v chroot) || { echo "container.sh: there is no chroot here" >&2; exit 1; }
inside() { env -i HALLMARK_API_KEY="$HALLMARK_API_KEY" "$chroot" --userspec=65532:65532 "$root" /hallmark "$@"; }

export HALLMARK_API_KEY=only-for-this-container
inside version | head -1
env -i HALLMARK_API_KEY="$HALLMARK_API_KEY" "$chroot" --userspec=65532:65532 "$root" /hallmark serve --addr 127.0.0.1:18099 >/dev/null 2>&1 &
service=$!
for _ in $(seq 50); do inside doctor --base-url http://127.0.0.1:18099/v1 >/dev/null 2>&1 && break; sleep 0.1; done
inside run /work/api.yaml -u http://127.0.0.1:18099/v1 --journal none | tail -1
said=$(inside run -u http://127.0.0.1:18099/v1 --quiet 2>&1) # without a place for the journal it goes on
echo "$said" | tail -2
case $said in *PARTIAL* | *CONFORMANT*) ;; *) echo 'container.sh: the run did not end well' >&2; exit 1 ;; esac
