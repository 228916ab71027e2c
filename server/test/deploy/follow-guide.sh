# Sourced by the scripts that follow docs/deployment.md. They set GUIDE to its path.

say() {
  echo "--- $1"
}

# Executes the block of the guide that begins with a text, with the command that follows: follow 'docker build' quietly
follow() {
  local block
  block=$(read_block "$1")
  [[ $block != '' ]] || { echo "the guide has no block that begins with: $1"; return 1; }
  sed 's/^/+ /' <<<"$block"
  "${@:2}" bash -euo pipefail -c "$block"
}

# A block is indented by four spaces or between fences, and ends at an empty line or a fence.
read_block() {
  awk -v begin="$1" '
    !found { line = $0; sub(/^    /, "", line); if (index(line, begin) == 1) found = 1; else next }
    /^$/ || /^```/ { exit }
    { sub(/^    /, ""); print }' "$GUIDE"
}

# For up to two minutes.
retry() {
  local _
  for _ in {1..240}; do "$@" 2>/dev/null && return 0; sleep 0.5; done
  "$@"
}
