#include "explore/explain/step_names.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/text.h"
#include "explore/aim/target_places.h"
#include "explore/explain/stable_order.h"
#include "trace/kinds.h"

namespace fairlead::explore {
namespace {

using finding::StepName;
using trace::SiteName;
using trace::SiteTable;

// What sites of one field have in common: its type by name and the offset; of a
// variable that is no member, nothing is known to the compiler's tables.
std::string FieldOf(const SiteName& site, const SiteTable& table) {
  if (site.type == 0) return "";
  const auto type = table.types.find(site.type);
  if (type == table.types.end() || type->second.name.empty()) return "";
  const trace::FieldName* field = type->second.FieldAt(site.field_offset);
  if (field == nullptr || field->name.empty()) return "";
  return fmt::format("{}::{}", type->second.name, field->name);
}

// Sites of a function and a kind, in the order of the source; each place once,
// as units may repeat them.
std::vector<const SiteName*> SitesOfKind(const SiteTable& table,
                                         const std::string& function,
                                         std::string_view kind) {
  std::vector<const SiteName*> sites;
  std::set<uint64_t> seen;
  for (const SiteName& site : table.sites) {
    if (site.function != function || trace::WordOf(site.kind) != kind) continue;
    if (seen.insert(site.id).second) sites.push_back(&site);
  }
  SortStablyBy(sites, [](const SiteName* site) {
    return std::pair(site->place.line, site->place.column);
  });
  return sites;
}

std::vector<const SiteName*> OfField(std::vector<const SiteName*> sites,
                                     const SiteTable& table,
                                     std::string_view field) {
  std::erase_if(sites, [&](const SiteName* site) {
    return FieldOf(*site, table) != field;
  });
  return sites;
}

std::vector<uint64_t> AnchorsOf(const std::vector<const SiteName*>& sites) {
  std::vector<uint64_t> anchors;
  for (const SiteName* site : sites) anchors.push_back(site->anchor);
  return anchors;
}

// Of the line, with each run of white space as one blank.
std::string Normalised(std::string_view line) {
  std::string text;
  for (const std::string_view word : Words(line)) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string LineAt(const trace::Place& place, const std::string& program) {
  namespace fs = std::filesystem;
  if (place.file.empty() || place.line == 0) return "";
  std::error_code error;
  fs::path path = place.file;
  fs::path directory = fs::absolute(program, error).parent_path();
  while (!fs::is_regular_file(path, error)) {
    if (directory.empty() || fs::path(place.file).is_absolute()) return "";
    path = directory / place.file;
    if (directory == directory.parent_path()) break;
    directory = directory.parent_path();
  }
  const Result<std::string> text = IsRegularFile(path.string())
                                       ? ReadFile(path.string(), kMaxTextBytes)
                                       : std::string();
  if (!text) return "";
  const auto lines = Split(*text, '\n');
  return place.line <= lines.size() ? Normalised(lines[place.line - 1]) : "";
}

// The place of `anchor` in the old order, among those that the new build does
// not know, and what stands there among those that the old one did not.
std::optional<StepMatch> ByOrder(uint64_t anchor,
                                 const std::vector<uint64_t>& old_order,
                                 const std::vector<const SiteName*>& now,
                                 MatchedBy by) {
  const std::vector<uint64_t> now_order = AnchorsOf(now);
  std::vector<uint64_t> old_left;
  for (const uint64_t old : old_order) {
    if (std::ranges::find(now_order, old) == now_order.end()) {
      old_left.push_back(old);
    }
  }
  std::vector<const SiteName*> now_left;
  for (const SiteName* site : now) {
    if (std::ranges::find(old_order, site->anchor) == old_order.end()) {
      now_left.push_back(site);
    }
  }
  const auto at = std::ranges::find(old_left, anchor);
  if (at == old_left.end() || old_left.size() != now_left.size()) return {};
  const SiteName* site = now_left[static_cast<size_t>(at - old_left.begin())];
  return StepMatch{.by = by, .anchor = site->anchor, .place = site->place};
}

// A plain access may have become an atomic one, and a read and a write one
// operation.
std::optional<StepMatch> ByAtomic(const finding::TargetStep& step,
                                  const StepName& name,
                                  const SiteTable& table) {
  if (name.kind != "load" && name.kind != "store") return {};
  if (auto same = SitesOfKind(table, name.function, "atomic-" + name.kind);
      !same.empty()) {
    if (same.size() != 1) return {};
    return StepMatch{.by = MatchedBy::kAtomic,
                     .anchor = same[0]->anchor,
                     .operation = step.operation,
                     .place = same[0]->place};
  }
  auto both = SitesOfKind(table, name.function, "rmw");
  for (const SiteName* site : SitesOfKind(table, name.function, "cas")) {
    both.push_back(site);
  }
  if (both.size() != 1) return {};
  return StepMatch{.by = MatchedBy::kAtomic,
                   .anchor = both[0]->anchor,
                   .operation = finding::Operation::kRmw,
                   .place = both[0]->place};
}

StepMatch Match(const finding::TargetStep& step, const StepName& name,
                const SiteTable& table) {
  const auto same =
      std::ranges::find(table.sites, step.anchor, &SiteName::anchor);
  if (step.anchor != 0 && same != table.sites.end()) {
    return {
        .by = MatchedBy::kAnchor, .anchor = step.anchor, .place = same->place};
  }
  if (name.function.empty() || name.kind.empty()) {
    return {.by = MatchedBy::kMissing,
            .why = "its place has no name, and its anchor is not there"};
  }
  const auto of_kind = SitesOfKind(table, name.function, name.kind);
  if (of_kind.empty()) {
    if (auto match = ByAtomic(step, name, table)) return *match;
    const bool there = std::ranges::any_of(table.sites, [&](const auto& site) {
      return site.function == name.function;
    });
    return {.by = MatchedBy::kMissing,
            .why = there ? fmt::format("{} has no {} any more", name.function,
                                       name.kind)
                         : fmt::format("there is no function {} any more",
                                       name.function)};
  }
  if (!name.same_field.empty()) {
    if (auto match =
            ByOrder(step.anchor, name.same_field,
                    OfField(of_kind, table, name.field), MatchedBy::kField)) {
      return *match;
    }
  }
  if (auto match =
          ByOrder(step.anchor, name.same_kind, of_kind, MatchedBy::kKind)) {
    return *match;
  }
  return {.by = MatchedBy::kAmbiguous,
          .why = fmt::format(
              "the line was edited, and {} has {} in this build and had {}",
              name.function, Counted(of_kind.size(), name.kind),
              name.same_kind.size())};
}

}  // namespace

std::string_view WordsOf(MatchedBy by) {
  switch (by) {
    case MatchedBy::kAnchor:
      return "by its anchor";
    case MatchedBy::kField:
      return "by function, kind and field";
    case MatchedBy::kKind:
      return "by function and kind";
    case MatchedBy::kAtomic:
      return "by function, where the access is atomic now";
    case MatchedBy::kAmbiguous:
      return "ambiguous";
    case MatchedBy::kMissing:
      return "not found";
  }
  return "not found";
}

void NameSteps(const std::string& program, finding::Ordering& ordering) {
  const Result<SiteTable> table = SitesOf(program);
  for (size_t i = 0; i < ordering.target.steps.size(); ++i) {
    const finding::TargetStep& step = ordering.target.steps[i];
    StepName& name = ordering.names[i];
    name.line = LineAt(step.place, program);
    if (!table) continue;
    const auto site =
        std::ranges::find(table->sites, step.anchor, &SiteName::anchor);
    if (site == table->sites.end()) continue;
    name.function = site->function;
    name.kind = trace::WordOf(site->kind);
    const std::string field = FieldOf(*site, *table);
    const auto of_kind = SitesOfKind(*table, name.function, name.kind);
    name.same_kind = AnchorsOf(of_kind);
    name.field = field;
    name.same_field = AnchorsOf(OfField(of_kind, *table, field));
  }
}

std::vector<StepMatch> MatchSteps(const finding::Ordering& ordering,
                                  const SiteTable& table) {
  std::vector<StepMatch> matches;
  for (size_t i = 0; i < ordering.target.steps.size(); ++i) {
    matches.push_back(
        Match(ordering.target.steps[i], ordering.names[i], table));
  }
  return matches;
}

finding::Ordering WithMatches(finding::Ordering ordering,
                              const std::vector<StepMatch>& matches) {
  for (size_t i = 0; i < matches.size(); ++i) {
    ordering.target.steps[i].anchor = matches[i].anchor;
    ordering.target.steps[i].place = matches[i].place;
    if (matches[i].operation) {
      ordering.target.steps[i].operation = *matches[i].operation;
    }
  }
  return ordering;
}

}  // namespace fairlead::explore
