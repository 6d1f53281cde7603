#!/usr/bin/env bash
# Ends the job as the check ended, after all that it left was uploaded and told. In: CODE, VERDICT, REGRESSIONS.
. "$(dirname "$0")/common.sh"

echo "verdict: $VERDICT, regressions: $REGRESSIONS"
[ "$CODE" = 0 ] || tell error "The patch has findings that fail-on names"
exit "$CODE"
