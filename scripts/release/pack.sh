#!/usr/bin/env bash
# Packs a release for this machine: the binary and the libz3 it was built with. The same sources and tools give the same archive.
# With Z3=static the binary holds Z3, and the archive's name says so: for `cargo binstall`, which installs nothing but the binary.
# Usage: scripts/release/pack.sh VERSION OUT-DIR [BINARY]   (builds the binary when none is given)
set -euo pipefail
version=$1 out=$(mkdir -p "$2" && cd "$2" && pwd) binary=${3:-}
[ -z "$binary" ] || binary=$(realpath "$binary")
cd "$(dirname "$0")/../.."

stated=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
[ "$version" = "$stated" ] || { echo "pack: the tag says $version, Cargo.toml $stated" >&2; exit 2; }
if [ -z "$binary" ]; then
  scripts/setup
  features=()
  [ "${Z3:-shared}" != static ] || features=(--features vendored)
  cargo build --release --locked --bin shadow-ci --target-dir target "${features[@]}"
  binary=target/release/shadow-ci
fi
suffix=
[ "${Z3:-shared}" != static ] || suffix=-static
name=shadow-ci-$version-$(uname -m)-unknown-linux-gnu$suffix
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/$name/bin"
cp "$binary" "$work/$name/bin/shadow-ci"
strip --strip-debug "$work/$name/bin/shadow-ci"
# One library under the name by which the binary asks for it.
soname=$(objdump -p "$binary" | awk '$1 == "NEEDED" && $2 ~ /^libz3/ { print $2 }')
if [ -n "$suffix" ]; then
  [ -z "$soname" ] || { echo "pack: the binary asks for $soname" >&2; exit 2; }
else
  mkdir "$work/$name/lib"
  cp -L ".z3/${soname:?the binary does not use a shared libz3}" "$work/$name/lib/"
fi
cp LICENSE LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$work/$name/"
z3=$(sed -n 's/^version=//p' scripts/setup)
scripts/release/notices.py "$z3" >"$work/$name/THIRD-PARTY-NOTICES.txt"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" -cf - "$name" |
  gzip -n -9 >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
