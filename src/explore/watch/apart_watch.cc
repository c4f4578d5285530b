#include "explore/watch/apart_watch.h"

#include "analysis/prediction.h"

namespace fairlead::explore {

ApartSeen ApartWatch::Finish(Namer& namer) {
  ApartSeen seen = {.log = log_, .anchors = {}, .contexts = {}, .threads = {}};
  UsedNumbers used;
  for (const analysis::asset::LoggedAccess& each : log_->entries()) {
    if (each.set == nullptr) continue;
    used.sites.insert(each.site);
    used.nodes.insert(each.node);
  }
  const trace::Names names = namer.For(used);
  for (const uint32_t site : used.sites) {
    const auto named = names.sites.find(site);
    if (named != names.sites.end()) seen.anchors[site] = named->second.anchor;
  }
  for (const uint32_t node : used.nodes) {
    seen.contexts[node] = analysis::ContextOf(node, names);
  }
  for (const auto& [tid, thread] : names.threads) {
    seen.threads[tid] = thread.path;
  }
  return seen;
}

}  // namespace fairlead::explore
