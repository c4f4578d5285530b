// Abseil: hash tables, strings, time and a status.

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>
#include <absl/container/inlined_vector.h>
#include <absl/status/statusor.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <absl/time/time.h>

#include <iostream>
#include <string>
#include <vector>

absl::StatusOr<absl::flat_hash_map<std::string, int>> Parse(
    absl::string_view text) {
  absl::flat_hash_map<std::string, int> values;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits('=', 1));
    int value = 0;
    if (!absl::SimpleAtoi(parts.second, &value)) {
      return absl::InvalidArgumentError(absl::StrCat("no number: ", line));
    }
    values[parts.first] += value;
  }
  return values;
}

int main() {
  const auto values = Parse("a=1\nb=2\na=3\n");
  if (!values.ok()) {
    std::cerr << values.status() << '\n';
    return 1;
  }
  absl::btree_map<int, absl::InlinedVector<std::string, 4>> by_value;
  for (const auto& [key, value] : *values) by_value[value].push_back(key);
  for (const auto& [value, keys] : by_value) {
    std::cout << absl::StrFormat("%5d %s\n", value, absl::StrJoin(keys, ","));
  }
  std::cout << absl::FormatDuration(absl::Milliseconds(1500)) << '\n';
  return by_value.size() == 2 ? 0 : 1;
}
