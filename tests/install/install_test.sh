#!/bin/sh
# Installs to a fresh prefix, moves it, and builds a project with it: nothing
# may point back to the build tree or to the first prefix.
# usage: install_test.sh BUILD PROJECT
set -eu
build=$1
project=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset CC CXX CFLAGS CXXFLAGS LDFLAGS DESTDIR

cmake --install "$build" --prefix "$work/first" >install.log
mv first moved
for file in bin/fairlead-cc bin/fairlead-c++ bin/fairlead-llvm-ar \
  lib/fairlead/libfairlead_pass.so lib/cmake/Fairlead/FairleadConfig.cmake; do
  test -e "moved/$file" || {
    echo "not installed: $file"
    cat install.log
    exit 1
  }
done

# Every page that the installed README names is there.
grep -o ']([^)#]*' moved/share/doc/fairlead/README.md | sed 's/](//' |
  while read -r page; do
    test -e "moved/share/doc/fairlead/$page" || {
      echo "README.md names $page, which is not installed"
      exit 1
    }
  done

# Two configurations: one asks where the compilers are, the other uses them.
cmake -G Ninja -S "$project" -B asks -DCMAKE_C_COMPILER=clang-19 \
  -DCMAKE_CXX_COMPILER=clang++-19 -DCMAKE_PREFIX_PATH="$work/moved" >asks.log ||
  { cat asks.log; exit 1; }
cc=$(sed -n 's/^-- Fairlead_CC=//p' asks.log)
cxx=$(sed -n 's/^-- Fairlead_CXX=//p' asks.log)
test "$cc" = "$work/moved/bin/fairlead-cc"

cmake -G Ninja -S "$project" -B uses -DCMAKE_C_COMPILER="$cc" \
  -DCMAKE_CXX_COMPILER="$cxx" -DCMAKE_PREFIX_PATH="$work/moved" >uses.log ||
  { cat uses.log; exit 1; }
cmake --build uses >build.log || { cat build.log; exit 1; }
(cd uses && ctest --output-on-failure) >ctest.log || { cat ctest.log; exit 1; }

readelf -SW uses/account | grep -q ' fl_units ' || {
  echo "the program holds no sites"
  exit 1
}
if [ -e "$build/bin/fairlead" ]; then
  moved/bin/fairlead --version
fi
"$cc" --fairlead-print-command -c x.c | grep -q "$work/moved/lib/fairlead"
