#!/bin/sh
# tools/check_packages notices what a list lacks, by role.
# usage: check_packages_test.sh SOURCE BUILD
set -eu
source=$1
build=$2
command -v dpkg-query >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/scripts"

# complains PACKAGE ABOUT: without PACKAGE in the list there is such a line.
complains() {
  grep -v "^$1 " "$source/scripts/packages.txt" >"$work/scripts/packages.txt"
  if "$source/tools/check_packages" "$work" "$build" >"$work/out"; then
    echo "nothing is said of a list without $1"
    exit 1
  fi
  grep -q "^$2.*brings $1\$" "$work/out" || {
    echo "no word of $1, for $2, in:"
    cat "$work/out"
    exit 1
  }
}
complains libxxhash-dev 'what is installed read /usr/include/xxhash.h'
complains libdw-dev 'what is installed read'
complains libgmock-dev 'the tests read'
if grep 'what is installed.*libgmock' "$work/out"; then exit 1; fi
