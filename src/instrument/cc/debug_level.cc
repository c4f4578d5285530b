#include "instrument/cc/debug_level.h"

namespace fairlead::cc {
namespace {

struct Setting {
  std::string_view option;
  DebugLevel level;
};

constexpr Setting kSettings[] = {
    {"-g0", DebugLevel::kNone},
    {"-ggdb0", DebugLevel::kNone},

    {"-g1", DebugLevel::kLines},
    {"-ggdb1", DebugLevel::kLines},
    {"-gline-directives-only", DebugLevel::kLines},
    {"-gline-tables-only", DebugLevel::kLines},
    {"-gmlt", DebugLevel::kLines},

    {"--debug", DebugLevel::kFull},
    {"-g", DebugLevel::kFull},
    {"-g2", DebugLevel::kFull},
    {"-g3", DebugLevel::kFull},
    {"-gdbx", DebugLevel::kFull},
    {"-gdwarf", DebugLevel::kFull},
    {"-gdwarf-2", DebugLevel::kFull},
    {"-gdwarf-3", DebugLevel::kFull},
    {"-gdwarf-4", DebugLevel::kFull},
    {"-gdwarf-5", DebugLevel::kFull},
    {"-gdwarf32", DebugLevel::kFull},
    {"-gdwarf64", DebugLevel::kFull},
    {"-gfull", DebugLevel::kFull},
    {"-ggdb", DebugLevel::kFull},
    {"-ggdb2", DebugLevel::kFull},
    {"-ggdb3", DebugLevel::kFull},
    {"-ginline-line-tables", DebugLevel::kFull},
    {"-glldb", DebugLevel::kFull},
    {"-gmodules", DebugLevel::kFull},
    {"-gno-inline-line-tables", DebugLevel::kFull},
    {"-gsce", DebugLevel::kFull},
    {"-gused", DebugLevel::kFull},
};

}  // namespace

std::optional<DebugLevel> DebugLevelOf(std::string_view option) {
  for (const Setting& setting : kSettings) {
    if (setting.option == option) return setting.level;
  }
  return std::nullopt;
}

}  // namespace fairlead::cc
