#!/bin/sh
# Serves an empty PowerDNS at a port of this machine: serve.sh PORT. Debian has it: pdns-server, pdns-backend-sqlite3 and sqlite3.
set -eu
port=$1
dir=$(mktemp -d)
schema=$(ls /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql /usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql 2>/dev/null | sed -n 1p)
sqlite3 "$dir/pdns.db" <"$schema"
exec pdns_server --no-config --config-dir="$dir" --socket-dir="$dir" --launch=gsqlite3 --gsqlite3-dnssec=yes --gsqlite3-database="$dir/pdns.db" \
	--gsqlite3-pragma-synchronous=0 --api=yes --api-key=secret-pdns --webserver=yes --webserver-address=127.0.0.1 --webserver-port="$port" --webserver-allow-from=127.0.0.1 \
	--local-address=127.0.0.1 --local-port="$((port + 1))" --daemon=no --guardian=no
