#!/bin/sh
# Runs the RUN lines of an IR test.
#
# usage: run_ir.sh PASS FILE
#
# In a RUN line, %pass stands for `opt` with the pass loaded and chosen (its
# options follow), %check for FileCheck on the test, and %s for the test itself.
set -eu
pass=$1
file=$2
tools=/usr/lib/llvm-19/bin
opt="$tools/opt -S -load $pass -load-pass-plugin $pass -passes=fairlead"
check="$tools/FileCheck $file"

sed -n 's/^; RUN: *//p' "$file" >"${TMPDIR:-/tmp}/run_ir.$$"
trap 'rm -f "${TMPDIR:-/tmp}/run_ir.$$"' EXIT
test -s "${TMPDIR:-/tmp}/run_ir.$$" || {
  echo "$file: no RUN line" >&2
  exit 1
}
while IFS= read -r line; do
  command=$(printf '%s\n' "$line" | sed \
    -e "s|%pass|$opt|g" -e "s|%check|$check|g" -e "s|%s|$file|g")
  if ! sh -c "$command"; then
    echo "$file: failed: $command" >&2
    exit 1
  fi
done <"${TMPDIR:-/tmp}/run_ir.$$"
