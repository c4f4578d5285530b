#include "cli/look_for.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/predictor/predictor.h"

namespace fairlead::cli {
namespace {

// "atomicity, order, deadlock, race": what can be asked for.
std::string KnownWords() {
  std::string words;
  for (const analysis::LookForEntry& entry : analysis::LookFor()) {
    if (!analysis::IsLookedFor(entry.word)) continue;
    words += (words.empty() ? "" : ", ") + std::string(entry.word);
  }
  return words;
}

// "" = right.
std::string Check(const std::string& word) {
  if (analysis::IsLookedFor(word)) return "";
  if (std::ranges::any_of(analysis::LookFor(),
                          [&](const analysis::LookForEntry& entry) {
                            return entry.word == word;
                          })) {
    return fmt::format("nothing looks for '{}' yet; what can be looked for: {}",
                       word, KnownWords());
  }
  return fmt::format("'{}' is none of {}", word, KnownWords());
}

}  // namespace

CLI::Option* AddLookFor(CLI::App& command, std::vector<std::string>& words) {
  return command
      .add_option("--look-for", words,
                  "Predict and force only these: " + KnownWords() +
                      "; all if not given. What executions show is judged as "
                      "ever")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(Check);
}

bool WantsInterleavings(const std::vector<std::string>& words) {
  return words.empty() ||
         std::ranges::any_of(words, [](const std::string& word) {
           return word == "order" || word == "atomicity";
         });
}

}  // namespace fairlead::cli
