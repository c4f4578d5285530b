#!/bin/sh
# scripts/setup, with an apt-get that only says what it was asked for.
# usage: setup_test.sh SCRIPTS
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/scripts" "$work/bin"
cp "$1/setup" "$1/packages.txt" "$work/scripts/"
cd "$work"

put() {
  cat >"bin/$1"
  chmod +x "bin/$1"
}
# Installed is what `installed` lists.
put dpkg-query <<'END'
#!/bin/sh
while [ $# -gt 1 ]; do shift; done
grep -qx -e "$1" "$WORK/installed" && printf installed
END
put apt-get <<'END'
#!/bin/sh
echo "$*" >>"$WORK/asked"
case $1 in download) : >"$3.deb" ;; esac
END
put dpkg-deb <<'END'
#!/bin/sh
echo "dpkg-deb $1" >>"$WORK/asked"
END
put id <<'END'
#!/bin/sh
echo 0
END
WORK=$work
PATH=$work/bin:$PATH
export PATH WORK

# check WANTED_CODE ROLES...: leaves in `asked` what apt-get was asked for.
check() {
  wanted=$1
  shift
  code=0
  : >asked
  scripts/setup "$@" >out 2>&1 || code=$?
  [ "$code" = "$wanted" ] || {
    echo "setup $*: exit code $code instead of $wanted"
    cat out
    exit 1
  }
}
asked() { grep -q -e "$1" asked || { echo "not asked: $1" && cat asked && exit 1; }; }
not_asked() { if grep -e "$1" asked; then echo "asked: $1" && exit 1; fi; }

: >installed
check 0 use build
asked '^install .*--no-install-recommends .*clang-19'
asked ' cmake'
not_asked libgtest-dev
not_asked memcached
not_asked --download-only

check 0 --download-only use
asked '^install .*--download-only .*clang-19'
not_asked cmake

check 0 bench
asked '^install .* libabsl-dev'

# Its package would start a service.
check 0
asked ' libgtest-dev'
not_asked libabsl-dev
not_asked '^install.* memcached'
asked '^download .*memcached'
asked '^dpkg-deb -x'
(cd build/unpacked && test -e memcached.deb && test ! -e memcached.part)

check 2 nonsense
grep -q "no role 'nonsense'" out

awk '!/^#/ && NF > 1 { print $1 }' scripts/packages.txt >installed
check 0
check 0 bench
[ ! -s asked ] || { cat asked && exit 1; }
