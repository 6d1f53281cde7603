#!/usr/bin/env bash
# Unpacks a release somewhere and checks a patch with it: it has to find the regression of the fixture `foo`.
# Usage: scripts/release/try.sh ARCHIVE
set -euo pipefail
archive=$(realpath "$1")
fixture=$(realpath "$(dirname "$0")/../../fixtures/foo")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tool"
tar -xzf "$archive" -C "$work/tool" --strip-components=1
git init -q "$work/repo"
for side in old new; do
  rm -rf "$work/repo/src"
  cp -R "$fixture/$side/src" "$work/repo/"
  git -C "$work/repo" add -A
  git -C "$work/repo" -c user.name=try -c user.email=try@example.org -c commit.gpgsign=false commit -q -m $side
done
code=0
"$work/tool/bin/shadow-ci" --repo "$work/repo" --json "$work/report.json" HEAD~1 HEAD || code=$?
[ $code = 1 ] && grep -q '"class": "regression"' "$work/report.json"
# The licences of what is in it have to be in it.
ls "$work/tool"/LICENSE*
for work_of_others in "Copyright (c) Microsoft Corporation" "libgit2-sys " "tree-sitter "; do
  grep -qF "$work_of_others" "$work/tool/THIRD-PARTY-NOTICES.txt"
done
