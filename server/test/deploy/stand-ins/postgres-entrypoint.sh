#!/bin/sh
# Like the entrypoint of the image postgres: makes the database in an empty data folder and runs the scripts of
# /docker-entrypoint-initdb.d beside a server that listens on no network; then starts the command.
set -eu

if [ "$(id -u)" = 0 ]; then
  install -d -m 700 -o postgres -g postgres "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  export POSTGRES_USER="${POSTGRES_USER:-postgres}"
  (umask 077 && printf '%s' "${POSTGRES_PASSWORD:?}" >/tmp/password)
  initdb --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  for script in /docker-entrypoint-initdb.d/*.sh; do "$script"; done
  pg_ctl --wait --mode=fast stop
fi
exec "$@"
