#!/usr/bin/env bash
# Runs in the network of run-docker.sh: starts Docker, executes the commands of docs/deployment.md as they are written there, and looks
# at the service after each part.
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND"; show_logs' ERR

readonly WORK=$1 STANDS_FOR=(node=node:22-bookworm-slim postgres=postgres:17-bookworm valkey=valkey/valkey:8 caddy=caddy:2)
export PATH=$WORK/docker/usr/bin:$WORK/docker/usr/sbin:$PATH DOCKER_HOST=unix://$WORK/docker.sock DOCKER_CONFIG=$WORK/config
# Addresses of this network as a machine has them; those of 127.0.0.0/8 reach containers through a proxy of Docker.
readonly SERVER=192.0.2.1 CLIENT=192.0.2.2 OTHER_CLIENT=192.0.2.3
readonly GUIDE=docs/deployment.md
# shellcheck source=server/test/deploy/follow-guide.sh
. "$(dirname "${BASH_SOURCE[0]}")/follow-guide.sh"
cd "$WORK/clone"
daemon='' load='' file=''

main() {
  start_docker
  say 'stand-ins' && build_stand_ins
  one_container
  say '.env' && follow 'for name in' quietly
  sed -i 's/health.example.com/localhost/' .env # Caddy signs its certificate itself
  one_process
  scaled
  echo 'the guide works'
}

start_docker() {
  ip link set lo up
  for address in "$SERVER" "$CLIENT" "$OTHER_CLIENT"; do ip address add "$address/32" dev lo; done
  retry ip link show tap0 >/dev/null
  mkdir -p "$DOCKER_CONFIG/cli-plugins"
  ln -s "$WORK"/docker/usr/libexec/docker/cli-plugins/* "$DOCKER_CONFIG/cli-plugins/"
  # 10.0.2.3 asks the name servers of this machine.
  dockerd --data-root "$WORK/data" --exec-root "$WORK/exec" --pidfile "$WORK/dockerd.pid" --host "$DOCKER_HOST" --dns 10.0.2.3 >"$WORK/dockerd.log" 2>&1 &
  daemon=$!
  retry docker info >/dev/null
  say "Docker $(docker version --format '{{.Server.Version}}'), Compose $(docker compose version --short)"
}

build_stand_ins() {
  tar -C "$WORK/base" -c . | docker import - debian:bookworm-slim >/dev/null
  for pair in "${STANDS_FOR[@]}"; do
    quietly docker build --build-arg REGISTRY="$(<"$WORK/registry")" --target "${pair%%=*}" --tag "${pair#*=}" "$WORK/stand-ins"
  done
}

one_container() {
  local block run
  block=$(read_block 'docker build')
  run=$(sed -n '/^docker run/,/tributary$/p' <<<"$block")
  say 'image' && quietly bash -c "$(grep '^docker build' <<<"$block")"
  say 'one container' && echo "$run"
  bash -c "exec ${run/--rm/--rm --name guide}" >"$WORK/run.log" 2>&1 &
  local container=$!
  retry healthy guide
  bash -c "$(sed -n 's/^docker exec CONTAINER/docker exec guide/p' <<<"$block")"
  [[ $(docker exec guide id -u) == 10001 ]]
  if docker exec guide touch /opt/tributary/x 2>/dev/null; then echo 'the root can be written' && return 1; fi
  docker stop --time 45 guide >/dev/null
  wait "$container"
  docker volume rm tributary >/dev/null
}

one_process() {
  file=deploy/compose.yaml
  say 'Compose: one process and PostgreSQL' && follow 'docker compose -f deploy/compose.yaml' quietly
  retry healthy tributary-tributary-1
  key=$(read_key tributary)
  api http://127.0.0.1:8080/v1/users --json '{"reference_id":"ada"}' >/dev/null
  has_ada http://127.0.0.1:8080
  compose exec -T tributary tributary doctor
  say 'killed, and started again by Docker'
  compose exec -T tributary sh -c 'kill -KILL "$(sed -n "s/^{\"pid\":\([0-9]*\),.*/\1/p" /data/service.json)"'
  retry restarted_once tributary-tributary-1
  retry healthy tributary-tributary-1
  say 'down and up'
  quietly compose down
  quietly compose up --detach
  retry healthy tributary-tributary-1
  has_ada http://127.0.0.1:8080
  quietly compose down --volumes
}

scaled() {
  file=deploy/compose.scaled.yaml
  say 'Compose: scaled' && follow 'docker compose -f deploy/compose.scaled.yaml' quietly
  for name in api-1 api-2 api-3 worker-1 worker-2; do retry healthy "tributary-$name-1"; done
  [[ $(docker inspect --format '{{.State.Status}} {{.State.ExitCode}}' tributary-migrate-1) == 'exited 0' ]]
  # Only migrate has the role that owns the tables.
  [[ $(compose exec -T api-1 env) != *MIGRATION_DATABASE_URL* && $(compose logs migrate) == *'at migration'* ]]
  key=$(read_key api-1 api-2 api-3)
  retry site "$CLIENT" /healthz >/dev/null
  site "$CLIENT" /v1/users --json '{"reference_id":"ada"}' >/dev/null
  [[ $(status "$CLIENT" /metrics) == 404 && $(status "$CLIENT" /readyz) == 404 ]]
  compose exec -T api-1 tributary doctor
  client_addresses
  restart_under_load
  erase
  quietly compose down --volumes
}

# 100 wrong links per address and 10 more a minute, counted in Valkey for all processes together.
client_addresses() {
  say 'client addresses'
  site "$CLIENT" '/my-data/wrong[1-120]' --no-fail -o /dev/null -w '%{http_code}\n' | sort | uniq -c | tee "$WORK/statuses"
  grep -q ' 429$' "$WORK/statuses"
  [[ $(status "$CLIENT" /my-data/wrong -H 'x-forwarded-for: 198.51.100.1') == 429 ]]
  [[ $(status "$OTHER_CLIENT" /my-data/wrong) == 404 ]]
  [[ $(compose exec -T valkey valkey-cli dbsize) -gt 0 ]]
}

restart_under_load() {
  say 'one API process after the other, under load'
  (until [[ -e $WORK/enough ]]; do status "$CLIENT" /v1/users || true; done >"$WORK/statuses") &
  load=$!
  for name in api-1 api-2 api-3; do
    quietly compose restart "$name"
    retry healthy "tributary-$name-1"
  done
  quietly compose up --detach --no-deps --force-recreate api-1
  retry healthy tributary-api-1-1
  touch "$WORK/enough"
  wait "$load"
  load=''
  sort "$WORK/statuses" | uniq -c
  [[ $(sort -u "$WORK/statuses") == 200 ]]
}

erase() {
  say 'erase a user'
  local id
  id=$(site "$CLIENT" /v1/users | grep -oE '"id":"[^"]+' | cut -d '"' -f 4)
  site "$CLIENT" "/v1/users/$id" -X DELETE >/dev/null
  retry compose exec -T worker-1 grep -q '"kind":"user"' /tombstones/tombstones.jsonl
}

compose() {
  docker compose -f "$file" --env-file .env "$@"
}

read_key() {
  compose logs "$@" | grep -oE 'sk_sandbox_\w+' | head -n 1
}

healthy() {
  [[ $(docker inspect --format '{{.State.Health.Status}}' "$1") == healthy ]]
}

restarted_once() {
  [[ $(docker inspect --format '{{.RestartCount}}' "$1") == 1 ]]
}

has_ada() {
  [[ $(api "$1/v1/users") == *'"ada"'* ]]
}

api() {
  curl -fsS "$1" -H "authorization: Bearer $key" "${@:2}"
}

# Through Caddy, as a client with an address of its own.
site() {
  api "https://localhost$2" -k --resolve "localhost:443:$SERVER" --interface "$1" "${@:3}"
}

status() {
  site "$1" "$2" --no-fail -o /dev/null -w '%{http_code}\n' "${@:3}"
}

quietly() {
  "$@" </dev/null >"$WORK/step.log" 2>&1 || { tail -n 40 "$WORK/step.log"; return 1; }
}

show_logs() {
  [[ -z $file ]] || compose logs --tail 20 || true
  tail -n 20 "$WORK/run.log" "$WORK/dockerd.log" || true
}

# Docker stops its containers when it ends.
clean_up() {
  touch "$WORK/enough"
  [[ -z $load ]] || wait "$load" || true
  [[ -z $daemon ]] || { kill "$daemon" 2>/dev/null || true; wait "$daemon" || true; }
}
trap clean_up EXIT
main
