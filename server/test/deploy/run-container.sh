#!/usr/bin/env bash
# `npm run test:container` runs the steps of deploy/Dockerfile in clean Debian roots instead of a container runtime, then starts the
# service there as the image would: as its user, with a root that cannot be written. Needs root, debootstrap and the registries;
# takes several minutes. COPY, RUN, USER, ENV and ENTRYPOINT are read from the Dockerfile. Not tested: layers, the base images
# themselves (debootstrap makes the roots; Node and npm of the build stage come from Debian and the registry), and Compose.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

readonly REPOSITORY=$PWD DOCKERFILE=deploy/Dockerfile MIRROR=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
readonly BUILD_NODE=22.14.0
case $(uname -m) in x86_64) readonly PROCESSOR=x64 ;; aarch64) readonly PROCESSOR=arm64 ;; *) echo "SKIPPED: no Node for $(uname -m)"; exit 77 ;; esac
[[ $(id -u) -eq 0 ]] || { echo 'SKIPPED: only root can change the root folder'; exit 77; }
command -v debootstrap >/dev/null || { echo 'SKIPPED: debootstrap is not installed'; exit 77; }
work=$(mktemp -d)
service=''

main() {
  debootstrap --variant=minbase bookworm "$work/base" "$MIRROR" >"$work/debootstrap.log" || { tail -n 40 "$work/debootstrap.log"; return 1; }
  cp -a "$work/base" "$work/build"
  cp -a "$work/base" "$work/image"
  for root in build image; do prepare "$work/$root"; done
  provide_npm
  mkdir "$work/build/src"
  git ls-files -z --cached --others --exclude-standard | tar --null -cf - -T - | tar -xf - -C "$work/build/src"
  echo '--- build stage' && list_runs 1 | while IFS= read -r line; do step build /src "$line"; done
  echo '--- image' && list_runs 2 | while IFS= read -r line; do
    if [[ $line == COPY* ]]; then cp -a "$work/build/opt/tributary" "$work/image/opt/tributary"; else step image / "$line"; fi
  done
  run_service
}

# DNS and certificates of this machine; Docker provides the first, the base image of Node the second.
prepare() {
  mount --bind /proc "$1/proc"
  mount --bind /dev "$1/dev"
  cp -L /etc/resolv.conf "$1/etc/resolv.conf"
  [[ ! -d /etc/ssl/certs ]] || { mkdir -p "$1/etc/ssl" && cp -aL /etc/ssl/certs "$1/etc/ssl/"; }
  [[ ! -e ${npm_config_cafile:-} ]] || install -D "$npm_config_cafile" "$1$npm_config_cafile"
  [[ ! -d /etc/apt/apt.conf.d ]] || cp -a /etc/apt/apt.conf.d/. "$1/etc/apt/apt.conf.d/"
}

# In the place of the image node:22-bookworm-slim.
provide_npm() {
  local tools=$work/build/opt/tools
  mkdir -p "$tools"
  (cd "$tools" && npm install --loglevel=error --ignore-scripts --no-bin-links --prefix . "npm@10.8.2" "node-linux-$PROCESSOR@$BUILD_NODE")
  ln -s "../../opt/tools/node_modules/node-linux-$PROCESSOR/bin/node" "$work/build/usr/bin/node"
  printf '#!/bin/sh\nexec node /opt/tools/node_modules/npm/bin/npm-cli.js "$@"\n' >"$work/build/usr/bin/npm"
  chmod 755 "$work/build/usr/bin/npm"
  chroot "$work/build" sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1 libstdc++6 >/dev/null'
}

# The RUN and COPY --from lines of a stage.
list_runs() {
  awk -v wanted="$1" '/^FROM /{stage++} stage == wanted && /^(RUN|COPY --from)/' "$DOCKERFILE"
}

step() {
  local root=$work/$1 folder=$2 line=${3#RUN }
  echo "+ $line"
  # shellcheck disable=SC2046 # several words
  chroot "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin HOME=/root $(passed_on) \
    sh -c "cd $folder && $line" </dev/null >"$work/step.log" 2>&1 || { tail -n 40 "$work/step.log"; return 1; }
}

# How this machine reaches the registry.
passed_on() {
  env | grep -E '^(npm_config_registry|npm_config_cafile|NODE_EXTRA_CA_CERTS|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)=' || true
}

# A root that cannot be written, except the volume and /tmp.
run_service() {
  local root=$work/image user port=18931 health
  user=$(sed -n 's/^USER //p' "$DOCKERFILE")
  umount "$root/proc" "$root/dev"
  mount --bind "$root" "$root" && mount -o remount,ro,bind "$root"
  mount --bind /proc "$root/proc" && mount --bind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mkdir "$work/volume" && chown "$user" "$work/volume" && mount --bind "$work/volume" "$root/data"
  chroot "$root" sh -c 'touch /opt/tributary/x' 2>/dev/null && { echo 'the root can be written'; return 1; }
  inside() { chroot --userspec="$user" "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/data \
    TRIBUTARY_DATA_DIR=/data HOST=127.0.0.1 PORT=$port "$@"; }
  inside tributary serve >"$work/stdout" 2>"$work/stderr" &
  local shell=$!
  health=1
  for _ in $(seq 120); do
    if inside /opt/tributary/deploy/healthcheck; then health=0 && break; fi
    kill -0 "$shell" 2>/dev/null || break
    sleep 1
  done
  ((health == 0)) || { cat "$work/stderr"; echo 'the service is not ready'; return 1; }
  service=$(sed -n 's/^{"pid":\([0-9]*\),.*/\1/p' "$work/volume/service.json")
  [[ $(stat -c %u "/proc/$service") -eq ${user%%:*} ]]
  echo "--- ready as $user on a root that cannot be written"
  inside tributary doctor
  inside tributary --version
  inside sh -c 'cd /data && tributary keys list --json' >/dev/null
  kill -TERM "$service"
  wait "$shell"
  service=''
  du -sh --exclude=proc --exclude=dev "$root" | sed 's/\t.*/ in the image/'
  echo 'test:container passed'
}

clean_up() {
  [[ -z $service ]] || kill -KILL "$service" 2>/dev/null || true
  local mounted
  # The innermost first.
  while read -r mounted; do umount "$mounted" || umount -l "$mounted"; done < <(awk -v w="$work/" 'index($2, w) == 1 {print $2}' /proc/mounts | tac)
  grep -q " $work/" /proc/mounts || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
main
