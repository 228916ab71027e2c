#!/usr/bin/env bash
# `npm run test:docker` follows the guide for Docker and Docker Compose (docs/deployment.md) with the real programs: those of Debian 13,
# unpacked into a temporary folder, in a network of their own, so no port of this machine is used and nothing is installed. Needs root,
# debootstrap, runc, iptables, slirp4netns and the registries; takes 10 to 25 minutes. The second half, follow-docker.sh, runs in that
# network. Not tested: the images of other projects, for which stand-ins/ has others with Debian's packages (PostgreSQL 15, Redis as
# Valkey, Caddy 2.6, Node 22), and certificates from an authority.
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND"' ERR
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

readonly HERE=server/test/deploy MIRROR=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
readonly PROGRAMS=(docker.io docker-cli docker-compose docker-buildx containerd tini)
readonly BUILD_NODE=22.14.0 BUILD_NPM=10.8.2
case $(uname -m) in x86_64) readonly PROCESSOR=x64 ;; aarch64) readonly PROCESSOR=arm64 ;; *) echo "SKIPPED: no Node for $(uname -m)"; exit 77 ;; esac
[[ $(id -u) -eq 0 ]] || { echo 'SKIPPED: only root can start Docker'; exit 77; }
for needed in debootstrap dpkg runc iptables ip slirp4netns curl; do
  command -v "$needed" >/dev/null || { echo "SKIPPED: $needed is not installed"; exit 77; }
done
work=$(mktemp -d)
guide='' network=''
folders=() # that Docker creates outside of its own
for folder in /run/docker /run/containerd; do [[ -e $folder ]] || folders+=("$folder"); done

main() {
  echo '--- Docker, the base image, Node and npm'
  unpack_docker
  quietly debootstrap --variant=minbase bookworm "$work/base" "$MIRROR"
  prepare_stand_ins
  mkdir "$work/clone"
  git ls-files -z --cached --others --exclude-standard | tar --null -cf - -T - | tar -xf - -C "$work/clone"
  unshare --net --mount bash "$HERE/follow-docker.sh" "$work" &
  guide=$!
  connect
  wait "$guide"
  echo 'test:docker passed'
}

# debootstrap checks the signatures.
unpack_docker() {
  quietly debootstrap --download-only --variant=minbase --include="$(IFS=, && echo "${PROGRAMS[*]}")" trixie "$work/packages" "$MIRROR"
  for name in "${PROGRAMS[@]}"; do dpkg -x "$work/packages/var/cache/apt/archives/${name}"_*.deb "$work/docker"; done
}

prepare_stand_ins() {
  cp -r "$HERE/stand-ins" "$work/stand-ins"
  mkdir "$work/stand-ins/tools"
  (cd "$work/stand-ins/tools" && quietly npm install --ignore-scripts --no-bin-links --prefix . "npm@$BUILD_NPM" "node-linux-$PROCESSOR@$BUILD_NODE")
  # How this machine reaches the registry.
  cp -L /etc/ssl/certs/ca-certificates.crt "$work/stand-ins/tools/"
  npm config get registry >"$work/registry"
}

# Only outwards: the builds need the registries.
connect() {
  until [[ $(readlink "/proc/$guide/ns/net") != "$(readlink /proc/self/ns/net)" ]]; do sleep 0.1; done
  slirp4netns --configure --disable-host-loopback "$guide" tap0 >"$work/network.log" 2>&1 &
  network=$!
}

quietly() {
  "$@" </dev/null >"$work/step.log" 2>&1 || { tail -n 40 "$work/step.log"; return 1; }
}

clean_up() {
  [[ -z $guide ]] || { kill "$guide" 2>/dev/null || true; wait "$guide" || true; }
  [[ -z $network ]] || kill "$network" 2>/dev/null || true
  ((${#folders[@]} == 0)) || rm -rf --one-file-system "${folders[@]}"
  rmdir /sys/fs/cgroup/{docker,*/docker}/buildkit /sys/fs/cgroup/{docker,*/docker} 2>/dev/null || true # fails if another Docker runs containers
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
main
