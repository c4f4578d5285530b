#include "instrument/cc/language.h"

#include <optional>
#include <span>

namespace fairlead::cc {
namespace {

struct Named {
  std::string_view name;
  Language language;
};

constexpr Named kByForce[] = {
    {"c", Language::kC},
    {"cpp-output", Language::kC},
    {"objective-c", Language::kC},
    {"objective-c-cpp-output", Language::kC},
    {"objc-cpp-output", Language::kC},
    {"c++", Language::kCxx},
    {"c++-cpp-output", Language::kCxx},
    {"c++-module", Language::kCxx},
    {"c++-module-cpp-output", Language::kCxx},
    {"objective-c++", Language::kCxx},
    {"objective-c++-cpp-output", Language::kCxx},
    {"objc++-cpp-output", Language::kCxx},
    {"pcm", Language::kCxx},
    {"c-header", Language::kCHeader},
    {"objective-c-header", Language::kCHeader},
    {"c++-header", Language::kCxxHeader},
    {"c++-user-header", Language::kCxxHeader},
    {"c++-system-header", Language::kCxxHeader},
    {"c++-header-unit-header", Language::kCxxHeader},
    {"objective-c++-header", Language::kCxxHeader},
    {"assembler", Language::kAssembly},
    {"assembler-with-cpp", Language::kCppAssembly},
    {"ir", Language::kIr},
};

constexpr Named kByEnding[] = {
    {"c", Language::kC},           {"ast", Language::kC},
    {"gch", Language::kC},         {"i", Language::kC},
    {"m", Language::kC},           {"mi", Language::kC},
    {"pch", Language::kC},         {"C", Language::kCxx},
    {"CC", Language::kCxx},        {"CPP", Language::kCxx},
    {"CXX", Language::kCxx},       {"C++", Language::kCxx},
    {"M", Language::kCxx},         {"c++", Language::kCxx},
    {"c++m", Language::kCxx},      {"cc", Language::kCxx},
    {"ccm", Language::kCxx},       {"cp", Language::kCxx},
    {"cpp", Language::kCxx},       {"cppm", Language::kCxx},
    {"cxx", Language::kCxx},       {"cxxm", Language::kCxx},
    {"ii", Language::kCxx},        {"iim", Language::kCxx},
    {"mii", Language::kCxx},       {"mm", Language::kCxx},
    {"pcm", Language::kCxx},       {"h", Language::kCHeader},
    {"H", Language::kCxxHeader},   {"hh", Language::kCxxHeader},
    {"hpp", Language::kCxxHeader}, {"hxx", Language::kCxxHeader},
    {"S", Language::kCppAssembly}, {"asm", Language::kCppAssembly},
    {"s", Language::kAssembly},    {"bc", Language::kIr},
    {"ll", Language::kIr},         {"cl", Language::kForeign},
    {"clcpp", Language::kForeign}, {"cu", Language::kForeign},
    {"cui", Language::kForeign},   {"cuh", Language::kForeign},
    {"f", Language::kForeign},     {"F", Language::kForeign},
    {"f90", Language::kForeign},   {"F90", Language::kForeign},
    {"f95", Language::kForeign},   {"hip", Language::kForeign},
    {"hipi", Language::kForeign},  {"hlsl", Language::kForeign},
};

std::optional<Language> Find(std::span<const Named> table,
                             std::string_view name) {
  for (const Named& entry : table) {
    if (entry.name == name) return entry.language;
  }
  return std::nullopt;
}

std::string_view EndingOf(std::string_view file) {
  const size_t slash = file.find_last_of('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  const size_t dot = file.find_last_of('.');
  return dot == std::string_view::npos ? std::string_view()
                                       : file.substr(dot + 1);
}

}  // namespace

Language LanguageOf(std::string_view file, std::string_view forced,
                    DriverMode mode) {
  if (!forced.empty() && forced != "none") {
    return Find(kByForce, forced).value_or(Language::kForeign);
  }
  const Language language =
      Find(kByEnding, EndingOf(file)).value_or(Language::kLinkerInput);
  if (mode == DriverMode::kCxx) {
    // clang++ takes C for C++, with a warning, unless -x says otherwise.
    if (language == Language::kC) return Language::kCxx;
    if (language == Language::kCHeader) return Language::kCxxHeader;
  }
  return language;
}

}  // namespace fairlead::cc
