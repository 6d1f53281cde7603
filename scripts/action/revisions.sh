#!/usr/bin/env bash
# Finds the two commits to compare and fetches what a shallow checkout lacks of them. Outputs: old, new (hashes).
# In: INPUT_OLD, INPUT_NEW, INPUT_REPO; of the event: EVENT_BASE and EVENT_HEAD (pull request, merge group), EVENT_BEFORE (push).
. "$(dirname "$0")/common.sh"
cd "${INPUT_REPO:-.}"

git rev-parse --git-dir >/dev/null 2>&1 || fail "there is no git repository in '${INPUT_REPO:-.}': run actions/checkout first"
for revision in "${INPUT_OLD:-}" "${INPUT_NEW:-}"; do
  case "$revision" in -* | *[[:space:]]*) fail "'$revision' is no revision" ;; esac
done

hash_of() { git rev-parse --quiet --verify "$1^{commit}" 2>/dev/null; }
is_shallow() { [ "$(git rev-parse --is-shallow-repository)" = true ]; }
depths="1 20 100 500 2500"

# get DEPTH COMMIT…: fetches; a clone that has all of its history keeps it.
get() {
  local depth=()
  if is_shallow; then depth=("--depth=$1"); fi
  shift
  why=$(GIT_TERMINAL_PROMPT=0 git fetch --quiet --no-tags --no-recurse-submodules "${depth[@]}" origin "$@" 2>&1)
}

missing() {
  fail "$1 is not in the checkout and can't be fetched${why:+ ($why)}: give actions/checkout 'fetch-depth: 0', or let it keep its credentials"
}

# The hash of a revision such as a branch, a hash or HEAD~2, with as much more of the history as it takes.
resolve() {
  local depth name=${1%%[~^]*} from revision
  why=
  hash_of "$1" && return
  if [ "$name" = "$1" ]; then
    get 1 "$1" || missing "$1"
    git rev-parse --verify 'FETCH_HEAD^{commit}'
    return
  fi
  from=$(resolve "$name") || return
  # The name may be one of the server's only.
  revision=$from${1#"$name"}
  hash_of "$revision" && return
  if is_shallow; then
    for depth in $depths; do
      get "$depth" "$from" || missing "$1"
      hash_of "$revision" && return
    done
  fi
  missing "$1"
}

# Where the pull request left its base: what the base got since is not part of it.
fork_point() {
  local depth
  why=
  git merge-base "$1" "$2" && return
  if is_shallow; then
    for depth in $depths 2147483647; do
      get "$depth" "$1" "$2" || missing "the history of $1 and $2"
      git merge-base "$1" "$2" && return
    done
  fi
  fail "$1 and $2 have no common history: set 'old'"
}

new=$(resolve "${INPUT_NEW:-${EVENT_HEAD:-HEAD}}") || exit
if [ -n "${INPUT_OLD:-}" ]; then
  old=$(resolve "$INPUT_OLD") || exit
elif [ -n "${EVENT_BASE:-}" ]; then
  base=$(resolve "$EVENT_BASE") || exit
  old=$(fork_point "$base" "$new") || exit
elif [[ ${EVENT_BEFORE:-} =~ [1-9a-f] ]]; then
  old=$(resolve "$EVENT_BEFORE") || exit
else
  old=$(resolve "$new~1") || exit
fi
echo "comparing $old with $new"
output old "$old"
output new "$new"
