#!/bin/sh
# tools/check_docs on a tree that is right, and on pages that name what is not.
# usage: check_docs_test.sh CHECK_DOCS BIN

set -eu
check=$1
bin=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/docs/reference" "$root/src/cli"
echo 'getenv("FAIRLEAD_CLANG"); {"kind", 1}' >"$root/src/cli/a.cc"

expect() {  # what is told of README.md when it is $1
  printf '%s\n' "$1" >"$root/README.md"
  told=$("$check" --bin "$bin" "$root") && code=0 || code=$?
  if [ "$told" != "$2" ]; then
    printf 'of: %s\nwanted: %s\ntold: %s\n' "$1" "$2" "$told"
    exit 1
  fi
  [ "$code" -eq "$([ -z "$2" ] && echo 0 || echo 1)" ]
}

expect '[a](src/cli/a.cc) `src/cli/*.cc` `FAIRLEAD_CLANG` `--seed`' ''
expect '    fairlead test --seed 7 -- ./app --any' ''
expect '[a](src/b.cc)' 'README.md:1: no file: src/b.cc'
expect '`src/cli/b.cc`' 'README.md:1: no such path: src/cli/b.cc'
expect '`FAIRLEAD_CLUNK`' 'README.md:1: no variable: FAIRLEAD_CLUNK'
expect '`--sede N`' 'README.md:1: no option: --sede'
expect '    $ fairlead test --sede 7 -- ./app' \
  'README.md:1: fairlead test has no option --sede'
expect '    fairlead tset -- ./app' 'README.md:1: no subcommand: tset'
# Files by the end of their paths, and by none.
mkdir -p "$root/scripts"
echo 'case $1 in --known) ;; esac' >"$root/scripts/go"
expect '`a.cc` `cli/a.cc` `./b.cc` `README.md`' ''
expect '`b.cc`' 'README.md:1: no file of ours: b.cc'
expect '`lib/a.cc`' 'README.md:1: no file of ours: lib/a.cc'
# Options of a subcommand whose `fairlead` is left out.
expect '`test --seed N`' ''
expect '`replay --sede N`' 'README.md:1: fairlead replay has no option --sede'
# Scripts.
expect '    scripts/go --known 1 -- ./app --any' ''
expect '    scripts/go --knwon' 'README.md:1: scripts/go has no option --knwon'
expect '`scripts/go --knwon`' 'README.md:1: scripts/go has no option --knwon'
expect '    scripts/gone 1' 'README.md:1: no such path: scripts/gone'
expect '' ''
printf '| `kind` | a |\n| `kond` | b |\n' >"$root/docs/reference/json.md"
expect '' 'docs/reference/json.md:2: no field: kond'
