// cli/page_model.h
//
// What a page shows, from the store or from a trace file: report/page.h's
// model, and what it points to.

#ifndef FAIRLEAD_CLI_PAGE_MODEL_H_
#define FAIRLEAD_CLI_PAGE_MODEL_H_

#include <deque>
#include <string>
#include <vector>

#include "report/page.h"
#include "store/store.h"

namespace fairlead::cli {

struct PageModel {
  report::Page page = {};
  std::deque<finding::Finding> shown = {};  // pointed into by `page`
};

struct PageWishes {
  std::vector<std::string> findings = {};  // by name; empty = all
  std::string store = {};
  bool all = false;  // also those cleared, ignored, refuted
  uint64_t most_campaigns = 20;
};

Result<PageModel> PageOfStore(store::Store& store, const PageWishes& wishes);

// Every event of an execution.
Result<PageModel> PageOfTrace(const std::string& file);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_PAGE_MODEL_H_
