// report/page_assets.h
//
// The script and the style of the page, as they were built from web/.

#ifndef FAIRLEAD_REPORT_PAGE_ASSETS_H_
#define FAIRLEAD_REPORT_PAGE_ASSETS_H_

#include <string_view>

namespace fairlead::report {

// Both "" where this build has no page.
std::string_view PageScript();
std::string_view PageStyle();

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_PAGE_ASSETS_H_
