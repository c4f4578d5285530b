// report/page.h
//
// Findings, campaigns and coverage as one file of HTML that opens from disk:
// the model as JSON, and the page of web/, which draws it. Nothing is loaded
// from anywhere, and text of the program is data in it: escaped here, and put
// on the screen as text there. Under the page's policy only its own script
// runs.

#ifndef FAIRLEAD_REPORT_PAGE_H_
#define FAIRLEAD_REPORT_PAGE_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "finding/explanation.h"
#include "report/coverage.h"
#include "report/finding_list.h"

namespace fairlead::report {

struct PageFinding {
  KeptFinding kept = {};   // points to what is shown, with its witness
  std::string title = {};  // instead of its kind; "" = its kind
  std::optional<finding::Ordering> ordering = {};
};

struct PageCampaign {
  std::string program = {};
  std::string build_id = {};
  std::string started = {};  // for people
  std::string ending = {};   // "" = under way, or killed
  std::vector<std::string> argv = {};
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t cut = 0;
  Json result = {};  // report::CampaignJson; null = there is none
  struct Point {     // after so many executions
    uint64_t executions = 0;
    uint64_t behaviours = 0;
    double seconds = 0;
  };
  std::vector<Point> points = {};
};

struct Page {
  std::string title = {};
  std::string tool = {};  // our version
  std::string made = {};  // when, for people
  bool live = false;      // served: it asks for itself again
  std::vector<PageFinding> findings = {};
  std::vector<PageCampaign> campaigns = {};  // the newest first
  std::vector<Coverage> coverage = {};       // by program
  // By file, line by line: the source that coverage is drawn into.
  std::map<std::string, std::vector<std::string>> sources = {};
};

// An error where this build has no page, naming what building one needs.
Result<std::string> PageHtml(const Page& page);

// The parts, for tests: all but the interleavings, and one of these.
Json PageJson(const Page& page);
std::string RunJson(const finding::Finding& finding);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_PAGE_H_
