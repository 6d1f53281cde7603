#!/usr/bin/env bash
# Checks a patch with a release, unpacked somewhere, or with a container image: it has to find the regression of the fixture `foo`.
# Usage: scripts/release/try.sh ARCHIVE | --image IMAGE
set -euo pipefail
fixture=$(realpath "$(dirname "$0")/../../fixtures/foo")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git init -q "$work/repo"
for side in old new; do
  rm -rf "$work/repo/src"
  cp -R "$fixture/$side/src" "$work/repo/"
  git -C "$work/repo" add -A
  git -C "$work/repo" -c user.name=try -c user.email=try@example.org -c commit.gpgsign=false commit -q -m $side
done
code=0
if [ "$1" = --image ]; then
  run=(docker run --rm -u "$(id -u):$(id -g)" -v "$work/repo:/work" "$2" --json report.json)
else
  mkdir "$work/tool"
  tar -xzf "$(realpath "$1")" -C "$work/tool" --strip-components=1
  run=("$work/tool/bin/shadow-ci" --repo "$work/repo" --json "$work/repo/report.json")
fi
"${run[@]}" HEAD~1 HEAD || code=$?
[ $code = 1 ] && grep -q '"class": "regression"' "$work/repo/report.json"
[ "$1" != --image ] || exit 0
# The licences of what is in it have to be in it.
ls "$work/tool"/LICENSE*
for work_of_others in "Copyright (c) Microsoft Corporation" "libgit2-sys " "tree-sitter "; do
  grep -qF "$work_of_others" "$work/tool/THIRD-PARTY-NOTICES.txt"
done
