#!/bin/sh
# A compiler cache knows the driver by its file: it must hit for the same driver
# and miss for one that was built with another pass.
# usage: ccache_test.sh BIN SOURCES
set -eu
bin=$1
sources=$2
command -v ccache >/dev/null || {
  echo "ccache is not installed" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$sources"/part.c "$sources"/part.h "$work"
cd "$work"
export CCACHE_DIR="$work/cache" CCACHE_CONFIGPATH="$work/none"
export CCACHE_COMPILERCHECK=content
unset CCACHE_DISABLE CCACHE_PREFIX 2>/dev/null || :

# The driver holds the digest of the pass that it was built with.
pass=$bin/../lib/fairlead/libfairlead_pass.so
digest=$(sha256sum "$pass" | cut -d ' ' -f 1)
"$bin/fairlead-cc" --fairlead-version | grep -q "^pass $digest\$" || {
  echo "fairlead-cc does not name the pass beside it ($digest):"
  "$bin/fairlead-cc" --fairlead-version
  exit 1
}

# hits DRIVER: compiles, and prints how often the cache was hit so far.
hits() {
  ccache "$1" -O1 -g -MD -c part.c -o part.o
  ccache --print-stats | awk '/cache_hit/ {sum += $2} END {print sum}'
}
# expect WORD WANT GOT
expect() {
  [ "$2" = "$3" ] || { echo "$1: want $2 hits, got $3"; exit 1; }
}
mkdir -p own/bin own/lib
cp "$bin/fairlead-cc" own/bin/fairlead-cc
ln -s "$(dirname "$bin")/lib/fairlead" own/lib/fairlead
expect 'first time' 0 "$(hits own/bin/fairlead-cc)"
cp part.o first.o
expect 'again' 1 "$(hits own/bin/fairlead-cc)"
cmp part.o first.o

# Built with another pass: the same file but for the digest.
other=$(echo "$digest" | tr 0-9a-f 1-9a-f0)
sed "s/$digest/$other/g" "$bin/fairlead-cc" >own/bin/fairlead-cc
cmp -s "$bin/fairlead-cc" own/bin/fairlead-cc && {
  echo "the digest is not in the driver"
  exit 1
}
expect 'another pass' 1 "$(hits own/bin/fairlead-cc)"
