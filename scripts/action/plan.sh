#!/usr/bin/env bash
# Decides which shadow-ci is used: a release, or these sources. Outputs: version (of a release, or `source`), key (for the cache), dir.
# In: INPUT_VERSION (may be empty), ROOT (the Action's folder), RUNNER_TEMP.
. "$(dirname "$0")/common.sh"

version=${INPUT_VERSION:-}
if [ -z "$version" ]; then
  # The runner unpacks an action into …/OWNER/NAME/REF: used by a release's tag, that release is meant.
  ref=$(basename "$(cd "$ROOT" && pwd)")
  if [[ $ref =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then version=$ref; else version=source; fi
fi
version=${version#v}
if [ "$version" = source ]; then
  # All that goes into the binary: the key changes when one of these files does.
  sum=$(cd "$ROOT" && find Cargo.toml Cargo.lock build.rs scripts/setup src -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16)
elif [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
  sum=$version
else
  fail "version '$version' is neither a release such as 0.1.0 nor 'source'"
fi
output version "$version"
output key "shadow-ci-$(uname -s)-$(uname -m)-$sum"
output dir "$RUNNER_TEMP/shadow-ci-tool"
