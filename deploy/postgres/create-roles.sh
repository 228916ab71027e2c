#!/bin/sh
# Runs once, in a new PostgreSQL container: creates the role that owns the tables, the role of the service, and the database.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 \
  --set=owner_password="$POSTGRES_OWNER_PASSWORD" --set=service_password="$POSTGRES_SERVICE_PASSWORD" \
  --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
create role tributary_owner login password :'owner_password';
create role tributary_service login password :'service_password';
create database tributary owner tributary_owner;
revoke all on database tributary from public;
grant connect on database tributary to tributary_service;
SQL
