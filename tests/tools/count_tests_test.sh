#!/bin/sh
# tools/count_tests against every kind of ending that CTest 3.25 writes.
# usage: count_tests_test.sh TOOL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/results.xml" <<'XML'
<testsuite>
  <testcase name="a" status="run"/>
  <testcase name="b" status="run"/>
  <testcase name="broken" status="fail"><failure message=""/></testcase>
  <testcase name="missing" status="notrun">
    <skipped message="Unable to find executable"/></testcase>
  <testcase name="no-file" status="notrun">
    <skipped message="Required Files Missing"/></testcase>
  <testcase name="skips" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/></testcase>
  <testcase name="off" status="disabled"/>
</testsuite>
XML

got=$("$1" "$work/results.xml")
want='skipped: skips, off
2 passed, 3 failed'
if [ "$got" != "$want" ]; then
  printf 'want:\n%s\ngot:\n%s\n' "$want" "$got"
  exit 1
fi
