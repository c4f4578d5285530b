#include "cli/guard_facts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>

#include "base/text.h"

namespace fairlead::cli {
namespace {

using abi::GuardHistory;
using analysis::BelongingSets;
using analysis::Predecessor;
using fact::Fact;

constexpr std::string_view kNil = "nil";
constexpr std::string_view kHistories[] = {"first", "next", "again"};

std::string SubjectOf(const Predecessor& predecessor) {
  if (predecessor.site == 0) return std::string(kNil);
  return fmt::format("@{:x}/{}", predecessor.site,
                     kHistories[static_cast<size_t>(predecessor.history)]);
}

std::optional<uint64_t> AnchorOf(std::string_view subject) {
  if (!subject.starts_with('@')) return {};
  subject.remove_prefix(1);
  uint64_t anchor = 0;
  const char* const end = subject.data() + subject.size();
  const auto read = std::from_chars(subject.data(), end, anchor, 16);
  if (read.ec != std::errc() || read.ptr != end || anchor == 0) return {};
  return anchor;
}

// All that a subject allows: one, or one for each history; none = it is no
// predecessor.
std::vector<Predecessor> PredecessorsOf(std::string_view subject) {
  if (subject == kNil) return {Predecessor{}};
  const size_t slash = subject.find('/');
  const auto anchor = AnchorOf(subject.substr(0, slash));
  if (!anchor) return {};
  std::vector<Predecessor> all;
  for (uint32_t i = 0; i < abi::kNumGuardHistories; ++i) {
    if (slash == std::string_view::npos ||
        subject.substr(slash + 1) == kHistories[i]) {
      all.push_back({.site = *anchor, .history = GuardHistory{i}});
    }
  }
  return all;
}

bool HoldsFor(const Fact& fact, const std::string& program) {
  if (fact.key.kind != fact::Kind::kPredecessor ||
      fact.state != fact::State::kAccepted) {
    return false;
  }
  if (fact.origin != fact::Origin::kLearnt || fact.runs.empty()) return true;
  return std::ranges::any_of(fact.runs, [&](const std::string& run) {
    return run.starts_with(program + "/");
  });
}

std::string ReasonOf(uint64_t site, const Predecessor& predecessor,
                     const PlaceWords& words) {
  const std::string here = words(site);
  if (here.empty()) return "";
  if (predecessor.site == 0) return fmt::format("{}, before any other", here);
  const std::string there = words(predecessor.site);
  return there.empty() ? here : fmt::format("{}, after {}", here, there);
}

void Put(std::string& file, const void* bytes, size_t size) {
  file.append(static_cast<const char*>(bytes), size);
}

}  // namespace

std::vector<Fact> FactsOfSets(const BelongingSets& sets, fact::State state,
                              const std::string& program,
                              std::string_view source,
                              const PlaceWords& words) {
  std::vector<Fact> facts;
  for (const auto& [site, set] : sets.sets()) {
    for (const Predecessor& each : set) {
      Result<Fact> fact =
          fact::Checked({.key = {fact::Kind::kPredecessor,
                                 {fmt::format("@{:x}", site), SubjectOf(each)}},
                         .state = state,
                         .origin = fact::Origin::kLearnt,
                         .runs = {fmt::format("{}/{}", program, source)},
                         .reason = ReasonOf(site, each, words)});
      if (fact) facts.push_back(*std::move(fact));
    }
  }
  return facts;
}

BelongingSets SetsOfFacts(const std::vector<Fact>& facts,
                          const std::string& program) {
  BelongingSets sets;
  for (const Fact& fact : facts) {
    if (!HoldsFor(fact, program)) continue;
    const auto site = AnchorOf(fact.key.subjects[0]);
    if (!site) continue;
    for (size_t i = 1; i < fact.key.subjects.size(); ++i) {
      for (const Predecessor& each : PredecessorsOf(fact.key.subjects[i])) {
        sets.Add(*site, each);
      }
    }
  }
  return sets;
}

std::string RulesOf(const BelongingSets& sets, const std::string& program,
                    bool with_histories, const std::vector<uint64_t>& before) {
  std::vector<uint64_t> words;  // anchors, then pairs
  std::map<uint64_t, uint32_t> numbers;
  const auto add_site = [&](uint64_t anchor) {
    if (words.size() >= abi::kMaxGuardSites) return;
    if (numbers.emplace(anchor, words.size() + 1).second) {
      words.push_back(anchor);
    }
  };
  for (const uint64_t anchor : before) add_site(anchor);
  for (const auto& [site, set] : sets.sets()) add_site(site);
  abi::GuardRules header = {};
  header.num_sites = static_cast<uint32_t>(words.size());
  const auto add_pair = [&](uint32_t site, uint32_t place) {
    if (words.size() - header.num_sites >= abi::kMaxGuardPairs) return;
    words.push_back(abi::GuardPair(site, place));
  };
  for (const auto& [site, set] : sets.sets()) {
    const auto number = numbers.find(site);
    if (number == numbers.end()) continue;
    for (const Predecessor& each : set) {
      const auto other = numbers.find(each.site);
      if (each.site == 0) {
        add_pair(number->second, 0);
      } else if (other != numbers.end() && with_histories) {
        add_pair(number->second, abi::GuardPlace(other->second, each.history));
      } else if (other != numbers.end()) {
        for (uint32_t i = 0; i < abi::kNumGuardHistories; ++i) {
          add_pair(number->second,
                   abi::GuardPlace(other->second, GuardHistory{i}));
        }
      }
    }
  }
  std::memcpy(header.magic, abi::kGuardRulesMagic, sizeof(header.magic));
  header.version = abi::kGuardRulesVersion;
  header.num_pairs = static_cast<uint32_t>(words.size()) - header.num_sites;
  header.checksum = abi::GuardChecksum(words.data(), words.size());
  std::strncpy(header.program, program.c_str(), sizeof(header.program) - 1);
  std::string file;
  Put(file, &header, sizeof(header));
  Put(file, words.data(), words.size() * sizeof(uint64_t));
  return file;
}

std::vector<uint64_t> AnchorsOfRulesUntrusted(std::string_view file) {
  abi::GuardRules header;
  if (file.size() < sizeof(header)) return {};
  std::memcpy(&header, file.data(), sizeof(header));
  if (std::memcmp(header.magic, abi::kGuardRulesMagic, sizeof(header.magic)) !=
          0 ||
      header.version != abi::kGuardRulesVersion ||
      header.num_sites > abi::kMaxGuardSites ||
      header.num_pairs > abi::kMaxGuardPairs ||
      file.size() != abi::GuardRulesBytes(header.num_sites, header.num_pairs)) {
    return {};
  }
  std::vector<uint64_t> anchors(header.num_sites);
  std::memcpy(anchors.data(), file.data() + sizeof(header),
              anchors.size() * sizeof(uint64_t));
  return anchors;
}

}  // namespace fairlead::cli
