#!/bin/sh
# tools/check_tidy looks at what the last commits changed, says how much of it,
# and says when it cannot know.
# usage: check_tidy_test.sh TOOL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=$1
cd "$work"
mkdir -p tree/src tree/tests/programs build
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
printf "Checks: '-*,modernize-use-nullptr'\nWarningsAsErrors: '*'\n" \
  >tree/.clang-tidy
echo 'int* old_one = 0;' >tree/src/old.cc
echo 'int* fine = nullptr;' >tree/src/fine.cc
echo 'int* wrong = 0;' >tree/tests/programs/wrong.cc
{
  printf '['
  comma=
  for file in src/old.cc src/fine.cc src/last.cc tests/programs/wrong.cc; do
    printf '%s{"directory":"%s/tree","file":"%s","command":"clang++-19 -c %s"}' \
      "$comma" "$work" "$file" "$file"
    comma=,
  done
  printf ']'
} >build/compile_commands.json

expect() { # CODE LAST-LINE ARGUMENTS...
  want_code=$1
  want=$2
  shift 2
  code=0
  "$tool" "$@" tree build >out 2>&1 || code=$?
  last=$(tail -n 1 out)
  if [ "$last" != "$want" ] || [ "$code" -ne "$want_code" ]; then
    printf 'of: %s\nwant (%s): %s\ngot (%s):\n' "$*" "$want_code" "$want" "$code"
    cat out
    exit 1
  fi
}
commit() {
  git -C tree add -A
  git -C tree -c user.name=a -c user.email=a@b commit -q -m "$1"
}

# A directory that is no repository, whatever lies above it.
export GIT_CEILING_DIRECTORIES="$work"
expect 0 'clang-tidy: skipped, as git does not have the last 30 commits'
git -C tree init -q
commit 'the old one'
echo '// changed' >>tree/src/fine.cc
commit 'the fine one'
expect 0 'clang-tidy: 1 of 1 files of the last 1 commits, complaints in 0' \
  --commits 1
expect 1 'clang-tidy: 2 of 2 files of the last 30 commits, complaints in 1'
grep -q 'src/old.cc:1:16: error: use nullptr' out
expect 0 'clang-tidy: 0 of 2 files of the last 30 commits, complaints in 0' \
  --time 0
echo 'int* last = 0;' >tree/src/last.cc
commit 'the last one'
expect 1 'clang-tidy: 1 of 1 files of the last 1 commits, complaints in 1' \
  --commits 1

git clone -q --depth 1 "file://$work/tree" shallow
mv tree deep
mv shallow tree
expect 0 'clang-tidy: skipped, as git does not have the last 30 commits'
rm build/compile_commands.json
"$tool" tree build 2>out && exit 1
grep -q 'cmake --preset dev' out
