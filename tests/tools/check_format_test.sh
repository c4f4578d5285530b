#!/bin/sh
# tools/check_format names what differs, and only that, and repairs it.
# usage: check_format_test.sh TOOL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=$1
mkdir -p "$work/src/a" "$work/tests"
echo 'BasedOnStyle: Google' >"$work/.clang-format"
echo 'int fine() { return 1; }' >"$work/src/a/fine.cc"
echo 'ROW( a,   1)' >"$work/src/a/table.inc"

[ -z "$("$tool" "$work")" ]

printf 'int  f( ){return 1;}\n' >"$work/src/a/wide.cc"
printf 'int *p;   int q;\n' >"$work/tests/with space.h"
code=0
differ=$("$tool" "$work" 2>"$work/message") || code=$?
[ "$code" -eq 1 ]
[ "$differ" = 'src/a/wide.cc
tests/with space.h' ] || {
  printf 'named: %s\n' "$differ"
  exit 1
}
grep -q 'check_format --fix' "$work/message"

"$tool" --fix "$work"
"$tool" "$work"
[ "$(cat "$work/src/a/table.inc")" = 'ROW( a,   1)' ]

code=0
"$tool" 2>/dev/null || code=$?
[ "$code" -eq 2 ]
