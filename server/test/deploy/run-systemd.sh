#!/usr/bin/env bash
# `npm run test:systemd` follows the guide for systemd, Caddy and nginx (docs/deployment.md) in a Debian that systemd itself boots:
# systemd-nspawn starts it with a network of its own, where only loopback exists. Needs root, debootstrap, systemd-nspawn and the
# registries; takes several minutes. The second half, follow-systemd.sh, runs inside. Not tested: certificates from an authority.
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND"' ERR
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

readonly HERE=server/test/deploy MIRROR=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
readonly SYSTEM=systemd,systemd-sysv,dbus,sudo,curl,openssl,ca-certificates,libatomic1,libstdc++6
readonly BOOT_SECONDS=600
[[ $(id -u) -eq 0 ]] || { echo 'SKIPPED: only root can start a container'; exit 77; }
for needed in debootstrap systemd-nspawn; do
  command -v "$needed" >/dev/null || { echo "SKIPPED: $needed is not installed"; exit 77; }
done
work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT

main() {
  quietly debootstrap --variant=minbase --include="$SYSTEM" bookworm "$root" "$MIRROR"
  # Their units are enabled, but not started before the boot; the guide starts them one after the other.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod 755 "$root/usr/sbin/policy-rc.d"
  quietly chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql-15 nginx-light caddy
  rm "$root/usr/sbin/policy-rc.d"
  quietly chroot "$root" systemctl disable nginx caddy postgresql
  install_package
  echo '127.0.0.1 localhost guide' >"$root/etc/hosts" && echo guide >"$root/etc/hostname" # sudo looks for it
  mkdir "$root/opt/guide"
  cp docs/{deployment,backup}.md "$HERE"/follow-{guide,systemd}.sh "$root/opt/guide/"
  write_unit
  echo '--- boot'
  # A host whose first process is not systemd has no service for containers to register with.
  timeout --signal=KILL "$BOOT_SECONDS" systemd-nspawn --quiet --register=no --keep-unit --private-network --machine=guide -D "$root" --boot >"$work/boot.log" 2>&1 || true
  cat "$root/opt/guide/result.log" || tail -n 40 "$work/boot.log"
  grep -qx 'the guide works' "$root/opt/guide/result.log"
  echo 'test:systemd passed'
}

quietly() {
  "$@" </dev/null >"$work/step.log" 2>&1 || { tail -n 40 "$work/step.log"; return 1; }
}

# As the guide says, with the npm of this machine: inside there is no network.
install_package() {
  quietly npm run package
  mkdir -p "$root/opt/tributary"
  tar -xzf tributary-*.tgz -C "$root/opt/tributary" --strip-components=1
  (cd "$root/opt/tributary" && quietly npm ci --omit=dev --include=optional --ignore-scripts)
}

write_unit() {
  cat >"$root/etc/systemd/system/follow-systemd.service" <<UNIT
[Unit]
After=basic.target dbus.service
[Service]
Type=exec
ExecStart=/bin/bash /opt/guide/follow-systemd.sh
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/opt/guide/result.log
StandardError=inherit
WorkingDirectory=/opt/guide
UNIT
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  ln -s ../follow-systemd.service "$root/etc/systemd/system/multi-user.target.wants/"
}

main
