#!/usr/bin/env bash
# Runs inside the Debian of run-systemd.sh: executes the commands of docs/deployment.md as they are written there, and looks at the
# service after each part.
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND"; journalctl --no-pager -n 60 -u "tributary*" -u nginx -u caddy -u "postgresql*"' ERR

GUIDE=/opt/guide/deployment.md
# shellcheck source=server/test/deploy/follow-guide.sh
. /opt/guide/follow-guide.sh

main() {
  say 'users, files and units' && follow 'useradd --system'
  one_process
  several_processes
  caddy
  nginx
  [[ $(systemctl list-units --failed --no-legend 'tributary*' caddy.service nginx.service) == '' ]]
  echo 'the guide works'
}

one_process() {
  say 'one process' && follow 'systemctl enable --now tributary'
  ready 8080
  key=$(journalctl -u tributary -o cat | grep -oE 'sk_sandbox_\w+' | head -n 1)
  api 8080 /v1/users -d '{"reference_id":"ada"}' >/dev/null
  [[ $(api 8080 /v1/users) == *'"ada"'* ]]
  [[ $(stat -c %U:%a /var/lib/tributary) == tributary:700 ]]
  say 'killed, and started again by systemd'
  systemctl kill --signal=KILL --kill-who=main tributary
  ready 8080
  [[ $(systemctl show -P NRestarts tributary) == 1 && $(api 8080 /v1/users) == *'"ada"'* ]]
  say 'restart' && systemctl restart tributary && ready 8080
  back_up
  say 'stop' && systemctl disable --now tributary
  [[ $(systemctl show -P Result tributary) == success ]]
  none_left
}

back_up() {
  say 'backup'
  install -d -o tributary -g tributary /var/backups/tributary/tributary-old
  touch -d '20 days ago' /var/backups/tributary/tributary-old
  GUIDE=/opt/guide/backup.md follow 'install -d -m 700 -o tributary'
  [[ $(systemctl is-active tributary-backup.timer) == active && $(systemctl show -P Result tributary-backup) == success ]]
  [[ $(stat -c %U:%a /var/backups/tributary) == tributary:700 && $(ls /var/backups/tributary) == tributary-20*Z ]]
  sudo -u tributary TRIBUTARY_DATA_DIR=/var/lib/tributary tributary restore --check /var/backups/tributary/tributary-20*
  systemctl disable --now tributary-backup.timer
}

several_processes() {
  say 'several processes'
  systemctl start postgresql
  sudo -u postgres psql -qc "create role tributary login password 'guide'" -c 'create database tributary owner tributary'
  cat >>/etc/tributary/tributary.env <<SETTINGS
DATABASE_URL=postgresql://tributary:guide@127.0.0.1:5432/tributary
TRIBUTARY_MASTER_KEY=$(openssl rand -base64 32)
TRIBUTARY_DRAIN_SECONDS=6
TRIBUTARY_PUBLIC_URL=https://localhost
TRIBUTARY_TRUSTED_PROXIES=127.0.0.1
SETTINGS
  follow 'systemctl enable --now tributary-api@8080'
  for port in 8080 8081 8090; do ready "$port"; done
  key=$(journalctl -u 'tributary-api@*' -o cat | grep -oE 'sk_sandbox_\w+' | head -n 1)
  api 8080 /v1/users -d '{"reference_id":"ada"}' >/dev/null
  [[ $(api 8081 /v1/users) == *'"ada"'* ]]
  say 'one after the other'
  for port in 8080 8081; do systemctl restart "tributary-api@$port" && ready "$port"; done
}

caddy() {
  say 'Caddy'
  cp /opt/tributary/deploy/caddy/Caddyfile /etc/caddy/
  mkdir -p /etc/systemd/system/caddy.service.d
  # As `systemctl edit caddy` writes it; Caddy signs certificates for localhost itself.
  read_block '[Service]' | sed 's/health.example.com/localhost/' >/etc/systemd/system/caddy.service.d/override.conf
  systemctl daemon-reload
  follow 'systemctl restart caddy'
  through_proxy
  systemctl stop caddy
}

nginx() {
  say 'nginx'
  sed 's/health.example.com/localhost/' /opt/tributary/deploy/nginx/tributary.conf >/etc/nginx/conf.d/tributary.conf
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout /etc/tributary/tls.key -out /etc/tributary/tls.crt 2>/dev/null
  rm /etc/nginx/sites-enabled/default
  systemctl start nginx
  follow 'nginx -t'
  through_proxy
}

through_proxy() {
  retry curl -fsSk -o /dev/null https://localhost/v1/users -H "authorization: Bearer $key"
  [[ $(curl -sk -o /dev/null -w '%{http_code}' https://localhost/metrics) == 404 ]]
}

ready() {
  retry curl -fsS -o /dev/null "http://127.0.0.1:$1/readyz"
}

api() {
  curl -fsS "http://127.0.0.1:$1$2" -H "authorization: Bearer $key" -H 'content-type: application/json' "${@:3}"
}

none_left() {
  [[ $(find /proc -maxdepth 1 -name '[0-9]*' -user tributary) == '' ]]
}

main
