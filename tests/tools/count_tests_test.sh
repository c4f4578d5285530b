#!/bin/sh
# tools/count_tests against every kind of ending that CTest 3.25 writes, and
# against times within and over the budgets.
# usage: count_tests_test.sh TOOL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/results.xml" <<'XML'
<testsuite>
  <testcase name="a" status="run" time="2.5"/>
  <testcase name="b" status="run" time="10.25"/>
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
echo '<testsuite><testcase name="c" status="run" time="7.25"/></testsuite>' \
  >"$work/more.xml"
echo '<testsuite><testcase name="long" status="run" time="3000"/></testsuite>' \
  >"$work/long.xml"

expect() { # CODE WANTED ARGUMENTS...
  want_code=$1
  want=$2
  shift 2
  code=0
  got=$("$tool" "$@") || code=$?
  if [ "$got" != "$want" ] || [ "$code" -ne "$want_code" ]; then
    printf 'of: %s\nwant (%s):\n%s\ngot (%s):\n%s\n' "$*" "$want_code" "$want" \
      "$code" "$got"
    exit 1
  fi
}
tool=$1

expect 0 'slowest:
     10.2 s  b
      7.2 s  c
      2.5 s  a
all tests, on 2 cores: 10 s of 1200 s
skipped: skips, off
3 passed, 3 failed' "$work/results.xml" "$work/more.xml"

over='slowest:
   3000.0 s  long
all tests, on 2 cores: 1500 s of 1200 s: OVER THE BUDGET, see CONTRIBUTING.md
1 passed, 0 failed'
expect 0 "$over" "$work/long.xml"
expect 1 "$over" --strict "$work/long.xml"
expect 1 'slowest:
   3000.0 s  long
all tests, on 4 cores: 750 s of 1200 s
added: 748 s of 90 s: OVER THE BUDGET, see CONTRIBUTING.md
1 passed, 0 failed' --strict --cores 4 --against "$work/more.xml" \
  "$work/long.xml"
expect 0 'slowest:
      7.2 s  c
all tests, on 2 cores: 4 s of 1200 s
added: 0 s of 90 s
1 passed, 0 failed' --strict --against "$work/results.xml" "$work/more.xml"
