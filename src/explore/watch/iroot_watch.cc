#include "explore/watch/iroot_watch.h"

#include <optional>

namespace fairlead::explore {
namespace {

namespace iroot = analysis::iroot;

std::optional<IRoot> Anchored(IRoot root, PlaceNames& names) {
  for (size_t i = 0; i < iroot::NumSteps(root.idiom); ++i) {
    const uint64_t anchor = names.AnchorOf(root.steps[i].place);
    if (anchor == 0) return {};
    root.steps[i].place = anchor;
  }
  return iroot::Canonical(root);
}

}  // namespace

IRootWatch::IRootWatch(IRootsWanted wanted, uint8_t last_idiom) {
  if (wanted == IRootsWanted::kPredicted ||
      wanted == IRootsWanted::kPredictedShared) {
    iroot::ProfilerOptions options;
    options.find_shared = wanted == IRootsWanted::kPredicted;
    options.compound = last_idiom > 1;
    profiler_ = std::make_unique<iroot::Profiler>(options);
  }
}

IRootsSeen IRootWatch::Finish(const ControlMemory& memory, PlaceNames& names) {
  names.Begin(memory);
  IRootsSeen seen;
  seen.facts = &names.facts();
  for (const IRoot& root : observer_.exposed()) {
    if (const auto anchored = Anchored(root, names)) {
      seen.exposed.push_back(*anchored);
    }
  }
  if (profiler_ == nullptr) return seen;
  profiler_->OnEnd();
  for (const auto& [root, candidate] : profiler_->predicted()) {
    const auto anchored = Anchored(root, names);
    if (!anchored) continue;
    const bool same =
        anchored->steps[0].place == names.AnchorOf(root.steps[0].place);
    seen.predicted.emplace_back(*anchored,
                                same ? candidate : Respelled(candidate));
  }
  return seen;
}

}  // namespace fairlead::explore
