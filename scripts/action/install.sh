#!/usr/bin/env bash
# Puts shadow-ci and its libz3 into DIR, from a release that is checked by SHA-256, or built from these sources. Output: bin.
# In: VERSION (from plan.sh), DIR, ROOT; INPUT_SHA256 (of the archive; else the release's own list says it), INPUT_RELEASES (where releases are).
. "$(dirname "$0")/common.sh"

bin=$DIR/bin/shadow-ci
download() {
  local machine name sum
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) machine=x86_64 ;;
    Linux-aarch64 | Linux-arm64) machine=aarch64 ;;
    *) fail "there is no release for $(uname -s) on $(uname -m): set 'version: source'" ;;
  esac
  name=shadow-ci-$VERSION-$machine-unknown-linux-gnu
  work=$(mktemp -d) # for the trap not local
  trap 'rm -rf "$work"' EXIT
  local from=${INPUT_RELEASES:-https://github.com/shadow-ci/shadow-ci/releases/download}/v$VERSION
  fetch() {
    curl --fail --silent --show-error --location --retry 3 --retry-delay 2 --max-filesize 300000000 --output "$work/$1" "$from/$1" ||
      fail "cannot fetch $from/$1: is there such a release? (version: source builds shadow-ci instead)"
  }
  fetch "$name.tar.gz"
  sum=${INPUT_SHA256:-}
  if [ -z "$sum" ]; then
    fetch SHA256SUMS
    sum=$(awk -v name="$name.tar.gz" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
  fi
  [[ $sum =~ ^[0-9a-fA-F]{64}$ ]] || fail "no SHA-256 is known for $name.tar.gz"
  echo "${sum,,}  $work/$name.tar.gz" | sha256sum --check --status ||
    fail "$name.tar.gz does not have the SHA-256 ${sum,,}: it is not used"
  mkdir -p "$DIR"
  tar -xzf "$work/$name.tar.gz" -C "$DIR" --strip-components=1 --no-same-owner
}

build() {
  command -v cargo >/dev/null || fail "building shadow-ci from source needs Rust 1.95 or newer (rustup)"
  (cd "$ROOT" && CI=${CI:-true} scripts/setup && cargo build --release --locked --bin shadow-ci --target-dir "$DIR/target")
  mkdir -p "$DIR/bin" "$DIR/lib"
  cp "$DIR/target/release/shadow-ci" "$bin"
  cp -L "$ROOT"/.z3/libz3.so* "$DIR/lib/"
  rm -rf "$DIR/target"
}

if ! "$bin" --version 2>/dev/null; then
  rm -rf "$DIR"
  if [ "$VERSION" = source ]; then build; else download; fi
  "$bin" --version || fail "shadow-ci does not run on this machine: see the lines above"
fi
output bin "$bin"
