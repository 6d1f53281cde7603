#!/bin/sh
# Installs a release of shadow-ci for the user who runs it. No Rust and no root needed.
#
#   curl -fsSL https://github.com/shadow-ci/shadow-ci/releases/latest/download/install.sh | sh
#
# --version V     that release instead of the newest
# --to DIR        where the program and its library go (~/.local/share/shadow-ci)
# --bin DIR       where the link to it goes (~/.local/bin)
# --sha256 SUM    what the archive has to have; else the list that the release publishes says it
# --releases URL  where releases are, for servers that can't reach github.com
set -eu

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

version='' to='' bin='' sum='' releases=https://github.com/shadow-ci/shadow-ci/releases/download
while [ $# -gt 0 ]; do
  [ $# -gt 1 ] || fail "$1 needs a value"
  case $1 in
    --version) version=${2#v} ;;
    --to) to=$2 ;;
    --bin) bin=$2 ;;
    --sha256) sum=$2 ;;
    --releases) releases=${2%/} ;;
    *) fail "there is no option $1" ;;
  esac
  shift 2
done
to=${to:-${HOME:?HOME is not set: give --to and --bin}/.local/share/shadow-ci}
bin=${bin:-${HOME:?HOME is not set: give --to and --bin}/.local/bin}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
  Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
  *) fail "there is no release for $(uname -s) on $(uname -m): build it with 'cargo build --release', as the README says" ;;
esac
for tool in curl tar sha256sum; do
  command -v "$tool" >/dev/null || fail "$tool is needed"
done

# A release that is named is a folder of its own; the newest is behind a fixed address.
case $version in
  '') from=${releases%/download}/latest/download ;;
  *) from=$releases/v$version ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
fetch() {
  curl --fail --silent --show-error --location --retry 3 --output "$work/$1" "$from/$1" || fail "cannot fetch $from/$1"
}

if [ -z "$version" ] || [ -z "$sum" ]; then
  fetch SHA256SUMS
  line=$(grep -E "^[0-9a-f]{64} [ *]shadow-ci-[0-9][0-9A-Za-z.+-]*-$target\.tar\.gz$" "$work/SHA256SUMS" | head -n 1) || true
  [ -n "$line" ] || fail "the release has nothing for $target"
  archive=${line#* ?}
  sum=${sum:-${line%% *}}
else
  archive=shadow-ci-$version-$target.tar.gz
fi
fetch "$archive"
echo "$sum  $work/$archive" | sha256sum -c --status 2>/dev/null || fail "$archive does not have the SHA-256 $sum: it is not used"

# Unpacked whole beside its place, then moved there.
parent=$(dirname "$to")
mkdir -p "$parent" "$bin"
fresh=$(mktemp -d "$parent/.shadow-ci.XXXXXX")
trap 'rm -rf "$work" "$fresh"' EXIT
tar -xzf "$work/$archive" -C "$fresh" --strip-components=1 --no-same-owner
chmod 755 "$fresh"
"$fresh/bin/shadow-ci" --version || fail "shadow-ci does not run on this machine: see the lines above"
[ ! -e "$to" ] || [ -x "$to/bin/shadow-ci" ] || fail "$to is something else: give another folder with --to"
rm -rf "$to"
mv "$fresh" "$to"
ln -sf "$to/bin/shadow-ci" "$bin/shadow-ci"
echo "installed in $to, linked as $bin/shadow-ci"
case ":${PATH:-}:" in
  *":$bin:"*) ;;
  *) echo "add it to your PATH: export PATH=\"$bin:\$PATH\"" ;;
esac
