#!/usr/bin/env bash
# Posts the report on the pull request, where there is one and this run may; what keeps it from that is told, and fails nothing.
# In: BIN, REPORT, INPUT_COMMENT, PULL, EVENT_HEAD, HEAD_REPOSITORY, GITHUB_TOKEN, and what the runner sets.
. "$(dirname "$0")/common.sh"

always=()
case "${INPUT_COMMENT:-}" in
  findings | true) ;;
  always) always=(--always) ;;
  never | false | "") exit 0 ;;
  *) fail "'comment' is findings, always or never, not '$INPUT_COMMENT'" ;;
esac
[ -n "${REPORT:-}" ] || fail "a comment needs the report: set 'json', or 'comment: never'"
if [ -z "${PULL:-}" ]; then
  echo "no pull request: no comment"
  exit 0
fi
if [ "${HEAD_REPOSITORY:-}" != "$GITHUB_REPOSITORY" ]; then
  tell notice "A pull request from a fork may not be commented on from here; see the job's summary, or set up the pair of workflows in docs/github.md"
  exit 0
fi
"$BIN" comment "$REPORT" --repository "$GITHUB_REPOSITORY" --pull "$PULL" --head "$EVENT_HEAD" "${always[@]}" \
  --report-url "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID" ||
  tell warning "The comment was not posted: see the step's log. It needs 'permissions: pull-requests: write'"
