# shellcheck shell=bash
# What the scripts of the Action share. Sourced, not run. All they are told is in environment variables, never in their text.
set -euo pipefail

# Text as part of a workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
escaped() {
  local text=${1//%/%25}
  text=${text//$'\r'/%0D}
  printf '%s' "${text//$'\n'/%0A}"
}

# tell KIND TEXT: an annotation (error, warning, notice), where there is a runner to read it; it reads both streams.
tell() {
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    printf '::%s title=shadow-ci::%s\n' "$1" "$(escaped "$2")" >&2
  else
    printf 'shadow-ci: %s: %s\n' "$1" "$2" >&2
  fi
}

fail() {
  tell error "$1"
  exit 2
}

# output NAME VALUE: an output of this step. A value of several lines would be several outputs.
output() {
  case "$2" in *$'\n'* | *$'\r'*) fail "the output $1 has a line break" ;; esac
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}
