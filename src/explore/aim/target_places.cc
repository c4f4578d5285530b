#include "explore/aim/target_places.h"

#include <algorithm>
#include <set>

#include "base/elf_image.h"

namespace fairlead::explore {
namespace {

using finding::Operation;
using trace::SiteName;

struct KindFacts {
  bool reads;
  bool writes;
};
constexpr KindFacts kKinds[] = {
#define FL_SITE_KIND(name, word, number, reads, writes) {reads, writes},
#include "abi/sites.inc"
#undef FL_SITE_KIND
};

bool CanBe(abi::SiteKind kind, Operation operation) {
  const KindFacts& facts = kKinds[static_cast<size_t>(kind)];
  switch (operation) {
    case Operation::kRead:
      return facts.reads;
    case Operation::kWrite:
      return facts.writes;
    case Operation::kRmw:
      return kind == abi::SiteKind::kRmw || kind == abi::SiteKind::kCas;
    case Operation::kCall:
      return true;
    default:
      return kind == abi::SiteKind::kCall || kind == abi::SiteKind::kAlloc;
  }
}

// "src/app.c" and "app.c" are the same file.
bool SameFile(std::string_view one, std::string_view other) {
  if (one.size() < other.size()) std::swap(one, other);
  if (other.empty() || !one.ends_with(other)) return false;
  return one.size() == other.size() ||
         one[one.size() - other.size() - 1] == '/';
}

bool IsAt(const SiteName& site, const trace::Place& place) {
  return site.place.line == place.line &&
         (place.column == 0 || place.column == site.place.column) &&
         SameFile(site.place.file, place.file);
}

}  // namespace

std::vector<uint64_t> AnchorsAt(const trace::SiteTable& table,
                                const trace::Place& place,
                                Operation operation) {
  std::set<uint64_t> anchors;
  for (const SiteName& site : table.sites) {
    if (IsAt(site, place) && CanBe(site.kind, operation)) {
      anchors.insert(site.anchor);
    }
  }
  return {anchors.begin(), anchors.end()};
}

Result<finding::Target> WithAnchors(finding::Target target,
                                    const trace::SiteTable& table) {
  for (size_t i = 0; i < target.steps.size(); ++i) {
    finding::TargetStep& step = target.steps[i];
    if (step.anchor != 0 || step.place.file.empty()) continue;
    const std::vector<uint64_t> anchors =
        AnchorsAt(table, step.place, step.operation);
    if (anchors.empty()) {
      return Error(ErrorCode::kMalformed)
          .Say("step {}: the program has no {} at {}", i + 1,
               finding::WordOf(step.operation), trace::PlaceText(step.place))
          .Hint("only code built with fairlead-cc has places");
    }
    if (anchors.size() > 1) {
      return Error(ErrorCode::kMalformed)
          .Say("step {}: {} places of the program are a {} at {}", i + 1,
               anchors.size(), finding::WordOf(step.operation),
               trace::PlaceText(step.place))
          .Hint("add the column, as in app.c:31:7, or the anchor");
    }
    step.anchor = anchors[0];
  }
  return target;
}

Result<trace::SiteTable> SitesOf(const std::string& path) {
  const Result<ElfImage> image = ElfImage::ReadUntrusted(path);
  if (!image) return image.error();
  return trace::ReadSiteTable(*image);
}

}  // namespace fairlead::explore
