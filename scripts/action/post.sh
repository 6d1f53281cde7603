#!/usr/bin/env bash
# Posts the report that another, unprivileged run left. Which pull request it is about is GitHub's word, not the report's.
# In: BIN, INPUT_ARTIFACT, GITHUB_TOKEN; of the `workflow_run` event: RUN, RUN_EVENT, EVENT_HEAD, HEAD_OWNER, HEAD_BRANCH.
. "$(dirname "$0")/common.sh"

most=10485760 # bytes of a report, as in `shadow-ci comment`, and of the artifact that holds it
if [ "${RUN_EVENT:-}" != pull_request ]; then
  echo "the run was not about a pull request: nothing to post"
  exit 0
fi
[[ ${RUN:-} =~ ^[0-9]+$ ]] || fail "there is no workflow_run event: this belongs into a workflow with 'on: workflow_run'"
[[ ${EVENT_HEAD:-} =~ ^[0-9a-f]{40,64}$ ]] || fail "the event names no head commit"
[[ ${INPUT_ARTIFACT:-} =~ ^[0-9A-Za-z._-]+$ ]] || fail "'${INPUT_ARTIFACT:-}' is no artifact's name"
for tool in curl jq unzip; do command -v $tool >/dev/null || fail "$tool is missing"; done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The token stays off the command line, where other processes could read it, and is not sent on when the API redirects.
printf 'header = "Authorization: Bearer %s"\n' "$GITHUB_TOKEN" >"$work/token"
get() {
  curl --config "$work/token" --fail --silent --show-error --location --retry 3 --max-filesize "$most" --max-time 300 \
    --header 'Accept: application/vnd.github+json' --header 'X-GitHub-Api-Version: 2022-11-28' --output "$1" "$GITHUB_API_URL/$2"
}

get "$work/list" "repos/$GITHUB_REPOSITORY/actions/runs/$RUN/artifacts?name=$INPUT_ARTIFACT&per_page=100" ||
  fail "cannot list the artifacts of run $RUN: the job needs 'permissions: actions: read'"
newest=$(jq -r '[.artifacts[] | select(.expired | not)] | sort_by(.id) | last // empty | "\(.id) \(.size_in_bytes)"' "$work/list")
if [ -z "$newest" ]; then
  echo "run $RUN left no artifact $INPUT_ARTIFACT: nothing to post"
  exit 0
fi
id=${newest% *} size=${newest#* }
[[ $id =~ ^[0-9]+$ && $size =~ ^[0-9]+$ ]] || fail "the list of artifacts is not what GitHub's API gives"
[ "$size" -le $most ] || fail "the artifact has $size bytes: not read"
get "$work/zip" "repos/$GITHUB_REPOSITORY/actions/artifacts/$id/zip" || fail "cannot fetch artifact $id"
# One file of it, by name, and no more of that than a report may have: nothing in it decides where it is written.
{ unzip -p "$work/zip" report.json || true; } | head -c $((most + 1)) >"$work/report.json"

"$BIN" comment "$work/report.json" --repository "$GITHUB_REPOSITORY" --branch "$HEAD_OWNER:$HEAD_BRANCH" --head "$EVENT_HEAD" \
  --report-url "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$RUN"
