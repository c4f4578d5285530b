#!/bin/sh
# tools/check_inprogram_symbols on a good library and on bad ones.
# usage: check_inprogram_symbols_test.sh TOOL CXX
set -eu
tool=$1
cxx=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >good.cc <<'END'
#include <errno.h>
#include <string.h>
#include <unistd.h>
extern "C" long hook(char* p) {
  memset(p, 0, 8);
  return errno + write(1, p, 8);
}
END
cat >bad.cc <<'END'
#include <string>
extern "C" void* hook(int n) { return new std::string(n, 'x'); }
END
cat >half.cc <<'END'
extern "C" void other();
extern "C" void half() { other(); }
END
cat >other.cc <<'END'
extern "C" void other() {}
END

"$cxx" -fPIC -shared -nostdlib++ -Wl,--as-needed good.cc -o good.so
"$tool" good.so

refused() {
  what=$1
  shift
  if "$tool" "$@" >out.txt; then
    echo "accepted: $*"
    exit 1
  fi
  grep -q "$what" out.txt || {
    echo "no word of $what in:"
    cat out.txt
    exit 1
  }
}

"$cxx" -fPIC -shared bad.cc -o bad.so
refused 'needs _Znwm' bad.so
refused 'library libstdc++' bad.so

# A library that is needed although none of its symbols is.
"$cxx" -fPIC -shared -Wl,--no-as-needed good.cc -o linked.so
refused 'library libstdc++' linked.so

# Archives and objects: what one lacks another may have.
"$cxx" -fPIC -c half.cc other.cc
refused 'needs other' half.o
"$tool" half.o other.o
ar rc both.a half.o other.o
"$tool" both.a
