#!/bin/sh
# Builds one of projects/ by its own build system with the driver as CC and
# CXX, runs its own test, and looks whether the program holds sites.
# usage: project_test.sh KIND PROJECTS BIN
set -eu
kind=$1
projects=$2
bin=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$projects/$kind" "$work/project"
cp "$projects"/shared/* "$work/project"
cd "$work/project"
CC=$bin/fairlead-cc
CXX=$bin/fairlead-c++
export CC CXX
unset CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS DESTDIR

# Joined by &&: behind the || below, set -e does not count.
built=out
build() {
  case $kind in
  make)
    built=.
    make -j2 CC="$CC" CXX="$CXX" &&
      make check CC="$CC" CXX="$CXX"
    ;;
  cmake)
    cmake -G Ninja -B out -DCMAKE_BUILD_TYPE=RelWithDebInfo &&
      cmake --build out &&
      (cd out && ctest --output-on-failure)
    ;;
  meson)
    meson setup out &&
      meson test -C out
    ;;
  autoconf)
    built=.
    autoreconf --install &&
      ./configure &&
      make -j2 check
    ;;
  esac
}
build >log.txt 2>&1 </dev/null || {
  cat log.txt
  exit 1
}

if [ "$("$built/sum")" != "sum 780" ]; then
  echo "$kind: the program does not say: sum 780"
  exit 1
fi
readelf -SW "$built/sum" | grep -q ' fl_units ' || {
  echo "$kind: the program holds no sites"
  exit 1
}
if grep -n 'warning:' log.txt; then
  echo "$kind: a clean project got warnings"
  exit 1
fi
