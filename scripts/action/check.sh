#!/usr/bin/env bash
# Runs the check and leaves its files. Outputs: what --step-outputs writes, exit-code, report-json, html, sarif, junit-xml, tests-dir, artifact.
# In: BIN, OLD, NEW, and INPUT_… for each input of the Action that is an option of shadow-ci, by its name; empty means not given.
. "$(dirname "$0")/common.sh"

input() {
  local name=INPUT_${1//-/_}
  name=${name^^}
  printf '%s' "${!name:-}"
}

# A file or folder of the report. Relative ones stay in the workspace, whatever links the tested commit has there.
placed() {
  local path
  path=$(realpath -m -- "$1")
  if [[ $1 != /* && $path != "$(realpath -m .)"/* ]]; then fail "'$1' leads out of the workspace"; fi
  mkdir -p -- "$(dirname -- "$path")"
  printf '%s' "$path"
}

# A label that maintainers alone can set lets the pull request's own entries count.
label() {
  [ -n "${ACCEPT_LABEL:-}" ] && jq -e --arg wanted "$ACCEPT_LABEL" 'index($wanted) != null' <<<"${LABELS:-null}" >/dev/null
}

args=()
if label; then INPUT_ACCEPTED_FROM=new; fi
for name in repo classpath build jdk-home fail-on effort timeout method-timeout memory threads max-string max-array loop-bound max-paths prior-calls search-runs seeds-from-tests null-arguments containment finest \
  arith int-range oracle proofs prune search seed mode config-from accepted-from show \
  test-classpath test-timeout suite-timeout; do
  value=$(input "$name")
  [ -z "$value" ] || args+=("--$name=$value")
done
for name in source-root method path exclude input; do
  while IFS= read -r line; do
    [ -z "$line" ] || args+=("--$name=$line")
  done <<<"$(input "$name")"
done
for name in verbose exhaustive offline inputs-from-tests; do
  [ "$(input "$name")" != true ] || args+=("--$name")
done

staged=$RUNNER_TEMP/shadow-ci-artifact
rm -rf "$staged"
mkdir -p "$staged"
declare -A files
for name in json html sarif junit-xml tests-dir; do
  value=$(input "$name")
  [ -n "$value" ] || continue
  files[$name]=$(placed "$value") || exit
  # Tests are named in reports as they were asked for.
  if [ "$name" = tests-dir ]; then args+=("--$name=$value"); else args+=("--$name=${files[$name]}"); fi
done

# The tested code runs in this process's children: it gets neither tokens nor the runner's files.
unsafe=(-u GITHUB_TOKEN -u GH_TOKEN)
while IFS='=' read -r name _; do
  case "$name" in
    GITHUB_ENV | GITHUB_PATH | GITHUB_OUTPUT | GITHUB_STATE | GITHUB_STEP_SUMMARY | ACTIONS_*_TOKEN | ACTIONS_*_URL | INPUT_*) unsafe+=(-u "$name") ;;
  esac
done < <(env)

code=0
env "${unsafe[@]}" "$BIN" "${args[@]}" --summary "$staged/summary.md" --step-outputs "$staged/outputs" -- "$OLD" "$NEW" || code=$?
[ $code -le 1 ] || exit $code
[ "$(input summary)" != true ] || cat "$staged/summary.md" >>"$GITHUB_STEP_SUMMARY"
cat "$staged/outputs" >>"$GITHUB_OUTPUT"
rm "$staged/outputs"

declare -A names=([json]=report.json [html]=report.html [sarif]=report.sarif [junit-xml]=report.xml [tests-dir]=tests)
for name in "${!files[@]}"; do
  [ -e "${files[$name]}" ] || continue
  cp -R -- "${files[$name]}" "$staged/${names[$name]}"
  if [ "$name" = json ]; then output report-json "${files[$name]}"; else output "$name" "${files[$name]}"; fi
done
output artifact "$staged"
output exit-code "$code"
