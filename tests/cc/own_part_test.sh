#!/bin/sh
# Where the driver is meant to differ from clang: its own options and messages,
# the linker for link-time optimisation, the public header.
# usage: own_part_test.sh BIN SOURCES
set -u
bin=$1
sources=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$sources"/* "$work"
cd "$work" || exit 1
failed=0

# expect NAME STATUS PATTERN COMMAND...: the output matches; '' for no output.
expect() {
  name=$1
  status=$2
  pattern=$3
  shift 3
  "$@" >out.txt 2>&1 </dev/null
  got=$?
  if [ -z "$pattern" ]; then
    test ! -s out.txt
  else
    grep -q -e "$pattern" out.txt
  fi
  if [ $? -ne 0 ] || [ $got -ne "$status" ]; then
    echo "$name: want status $status and '$pattern', got status $got and:"
    cat out.txt
    failed=1
  fi
}

one_line() {
  if [ "$(wc -l <out.txt)" -ne 1 ]; then
    echo "$name: want one line"
    cat out.txt
    failed=1
  fi
}

cc=$bin/fairlead-cc
cxx=$bin/fairlead-c++

expect help 0 '--fairlead-print-command' "$cc" --fairlead-help
expect version 0 '^fairlead-cc [0-9]' "$cc" --fairlead-version
expect 'version of c++' 0 '^fairlead-c++ [0-9]' "$cxx" --fairlead-version
expect 'unknown option' 2 'unknown option --fairlead-x; see' "$cc" --fairlead-x
one_line

expect 'print command' 0 'fpass-plugin=.* -c part.c' \
  "$cc" --fairlead-print-command -c part.c
test ! -e part.o || { echo "print command: it ran"; failed=1; }
sh out.txt || { echo "print command: what it printed does not run"; failed=1; }
test -e part.o || { echo "print command: what it printed made nothing"; failed=1; }

# Off: the same bytes that clang makes.
clang-19 -c part.c -o want.o
expect off 0 '' "$cc" --fairlead-off -c part.c -o off.o
cmp want.o off.o || failed=1
expect 'off by environment' 0 '' env FAIRLEAD_CC_OFF=1 "$cc" -c part.c -o env.o
cmp want.o env.o || failed=1
expect 'not off' 0 'fpass-plugin' \
  env FAIRLEAD_CC_OFF=0 "$cc" --fairlead-print-command -c part.c

# What is missing is named, in one line.
expect 'no clang' 3 '^fairlead-cc: clang 19 was not found; install clang-19' \
  env FAIRLEAD_CLANG=/nowhere/clang "$cc" -c part.c
one_line
mkdir -p elsewhere/bin
cp "$cc" elsewhere/bin
expect 'no pass' 3 \
  '^fairlead-cc: the pass .*/elsewhere/lib/fairlead/libfairlead_pass.so is missing' \
  elsewhere/bin/fairlead-cc -c part.c
one_line
expect 'no pass, none needed' 0 '' elsewhere/bin/fairlead-cc want.o -shared -o x.so
mkdir -p elsewhere/lib/fairlead
echo garbage >elsewhere/lib/fairlead/libfairlead_pass.so
expect 'broken pass' 1 'libfairlead_pass.so' elsewhere/bin/fairlead-cc -c part.c

# Another clang by name and by path.
expect 'clang by name' 0 '^/.*/clang-19 ' \
  env FAIRLEAD_CLANG=clang-19 "$cc" --fairlead-print-command -c part.c
expect 'clang++ beside clang' 0 '/clang++ ' env \
  FAIRLEAD_CLANG=/usr/lib/llvm-19/bin/clang "$cxx" --fairlead-print-command -c part.c

# The root of the project.
mkdir -p project/.git project/a/b
expect 'root: version control' 0 "fairlead-root=$work/project " \
  sh -c "cd project/a/b && '$cc' --fairlead-print-command -c x.c"
expect 'root: none' 0 "fairlead-root=$work/elsewhere " \
  sh -c "cd elsewhere && '$cc' --fairlead-print-command -c x.c"
expect 'root: chosen' 0 'fairlead-root=/somewhere ' \
  env FAIRLEAD_ROOT=/somewhere "$cc" --fairlead-print-command -c x.c

# Link-time optimisation needs lld, whatever the default linker is.
expect 'LTO' 0 '' "$cc" -Werror -flto -O2 whole.c part.c -o whole
expect 'LTO runs' 0 '^whole 2 1' ./whole
expect 'thin LTO' 0 '' "$cxx" -Werror -flto=thin -O2 hello.cc -o hello
expect 'thin LTO runs' 0 '^hello bo 42' ./hello

# The public header is found, and is the last to be looked at.
if [ -e "$bin/../include/fairlead/fairlead.h" ]; then
  printf '#include <fairlead/fairlead.h>\nint main(void) { return 0; }\n' >h.c
  expect 'public header' 0 '' "$cc" -Wall -Werror h.c -o h
  expect 'it runs' 0 '' ./h
  mkdir -p mine/fairlead
  echo '#error mine' >mine/fairlead/fairlead.h
  expect 'the user comes first' 1 'error: mine' "$cc" -isystem mine -c h.c
fi

# Reads its name from how it was called.
ln -s "$cxx" g++
expect 'another name' 0 '/clang++ ' ./g++ --fairlead-print-command -c part.c
exit $failed
