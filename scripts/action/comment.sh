#!/usr/bin/env bash
# Posts the report on the pull request, or as a check run, where this run may; what keeps it from that is told, and fails nothing.
# In: BIN, REPORT, INPUT_COMMENT, INPUT_REPORT_AS, CODE, PULL, EVENT_HEAD, NEW, HEAD_REPOSITORY, GITHUB_TOKEN, and what the runner sets.
. "$(dirname "$0")/common.sh"

always=()
case "${INPUT_COMMENT:-}" in
  findings | true) ;;
  always) always=(--always) ;;
  never | false | "") exit 0 ;;
  *) fail "'comment' is findings, always or never, not '$INPUT_COMMENT'" ;;
esac
[ -n "${REPORT:-}" ] || fail "a comment needs the report: set 'json', or 'comment: never'"
as=${INPUT_REPORT_AS:-comment}
case "$as" in comment | check) ;; *) fail "'report-as' is comment or check, not '$as'" ;; esac
if [ -z "${PULL:-}" ] && [ "$as" = comment ]; then
  echo "no pull request: no comment"
  exit 0
fi
if [ -n "${PULL:-}" ] && [ "${HEAD_REPOSITORY:-}" != "$GITHUB_REPOSITORY" ]; then
  tell notice "A pull request from a fork may not be commented on from here; see the job's summary, or set up the pair of workflows in docs/github.md"
  exit 0
fi
run=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
if [ "$as" = check ]; then
  conclusion=()
  [ "${CODE:-0}" != 1 ] || conclusion=(--conclusion failure)
  "$BIN" comment "$REPORT" --as check --repository "$GITHUB_REPOSITORY" --head "${EVENT_HEAD:-$NEW}" --report-url "$run" "${conclusion[@]}" ||
    tell warning "The check run was not published: see the step's log. It needs 'permissions: checks: write'"
  exit 0
fi
"$BIN" comment "$REPORT" --repository "$GITHUB_REPOSITORY" --pull "$PULL" --head "$EVENT_HEAD" "${always[@]}" \
  --report-url "$run" ||
  tell warning "The comment was not posted: see the step's log. It needs 'permissions: pull-requests: write'"
