#!/bin/sh
# tools/check_layers on a made-up tree: what is allowed passes, and each kind of
# violation is reported once, with its place.
# usage: check_layers_test.sh TOOL
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p include/fairlead src/abi src/base src/trace src/cli src/instrument/pass \
  src/analysis/race src/analysis/deadlock

put() { printf '%s\n' "$2" >"$1"; }

put src/abi/site.h '#include <stdint.h>'
put src/base/result.h '#include <string>'
put src/trace/trace.h '#include "abi/site.h"
#include "base/result.h"
#include <vector>'
put src/analysis/analysis.h '#include "trace/trace.h"'
put src/analysis/race/race.cc '#include "analysis/race/race.h"
#include "analysis/analysis.h"'
put src/instrument/pass/pass.cc '#include "llvm/IR/Module.h"
#include <llvm/IR/Function.h>'
put src/cli/main.cc '#include "trace/trace.h"
#include "analysis/race/race.h"'
put include/fairlead/fairlead.h '#include <stddef.h>'

if ! "$1" . >clean.txt; then
  echo "a tree without violations was refused:"
  cat clean.txt
  exit 1
fi

mkdir src/attic
put src/attic/old.h ''
put src/abi/event.h '// one
#include "base/result.h"'
put src/analysis/deadlock/deadlock.cc '#include "analysis/race/race.h"'
put src/base/text.cc '#include "llvm/ADT/StringRef.h"'
put src/trace/slice.cc '#include "trace.h"'
put src/trace/print.cc '  #  include "../base/result.h"'
put include/fairlead/fairlead.hpp '#include "abi/site.h"'

if "$1" . >violations.txt; then
  echo "violations were not noticed"
  exit 1
fi
cut -d: -f1,2 violations.txt >places.txt
cat >want.txt <<'END'
src/abi/event.h:2
src/analysis/deadlock/deadlock.cc:1
src/attic/old.h:1
src/base/text.cc:1
src/trace/print.cc:1
src/trace/slice.cc:1
include/fairlead/fairlead.hpp:1
END
diff want.txt places.txt
