#!/bin/sh
# The .deb: its files, what it depends on, and what is unpacked from it.
# usage: deb_test.sh SOURCE BUILD
set -eu
source=$1
build=$2
command -v dpkg-shlibdeps >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DESTDIR

cpack --config "$build/CPackConfig.cmake" -B "$work" >cpack.log 2>&1 || {
  cat cpack.log
  exit 1
}
deb=$(echo fairlead_*_amd64.deb)

dpkg-deb --fsys-tarfile "$deb" | tar -t | grep -v '/$' | sort >files.txt
cat >want.txt <<'END'
./usr/bin/fairlead
./usr/bin/fairlead-c++
./usr/bin/fairlead-cc
./usr/bin/fairlead-llvm-ar
./usr/bin/fairlead-llvm-ranlib
END
(cd "$source" && find include -type f) | sed 's|^|./usr/|' >>want.txt
cat >>want.txt <<'END'
./usr/lib/cmake/Fairlead/FairleadConfig.cmake
./usr/lib/cmake/Fairlead/FairleadConfigVersion.cmake
./usr/lib/cmake/Fairlead/FairleadExploreTest.cmake
./usr/lib/cmake/Fairlead/FairleadListGTests.cmake
./usr/lib/cmake/Fairlead/FairleadTest.cmake
./usr/lib/cmake/Fairlead/fairlead.cmake
./usr/lib/fairlead/fairlead.gdb
./usr/lib/fairlead/libfairlead_guard.so
./usr/lib/fairlead/libfairlead_pass.so
./usr/lib/fairlead/libfairlead_rt.so
./usr/share/doc/fairlead/copyright
END
(cd "$source" && ls CHANGELOG.md CONTRIBUTING.md LICENSE README.md &&
  find docs examples -type f ! -name CMakeLists.txt) |
  sed 's|^|./usr/share/doc/fairlead/|' >>want.txt
sort -o want.txt want.txt
diff want.txt files.txt

# What it runs and is linked to, and nothing that only builds.
dpkg-deb -f "$deb" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//' | sort -u \
  >depends.txt
for package in $(awk '!/^#/ && $2 == "use" { print $1 }' "$source/scripts/packages.txt") \
  libc6 libdw1 libfmt9 libsqlite3-0 libstdc++6 libzstd1; do
  grep -qx -e "$package" depends.txt || {
    echo "does not depend on $package, but on:"
    cat depends.txt
    exit 1
  }
done
awk '!/^#/ && $2 != "use" { print $1 }' "$source/scripts/packages.txt" >others.txt
if grep -xF -f others.txt depends.txt; then
  echo "is needed for building or testing, not for use"
  exit 1
fi

dpkg-deb -x "$deb" root
root/usr/bin/fairlead --version
echo 'int main(void) { return 0; }' >empty.c
root/usr/bin/fairlead-cc empty.c -o empty
root/usr/bin/fairlead run --quiet -- ./empty
