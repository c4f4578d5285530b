#include "report/page_assets.h"

namespace fairlead::report {
namespace {

// clang 19, which all of this is compiled by, has it in C++ as well.
#pragma clang diagnostic ignored "-Wc23-extensions"

// The last byte is ours, and left out below: an empty array is none.
#ifdef FAIRLEAD_PAGE_SCRIPT
constexpr char kScript[] = {
#embed FAIRLEAD_PAGE_SCRIPT suffix(, ) if_empty()
    0};
constexpr char kStyle[] = {
#embed FAIRLEAD_PAGE_STYLE suffix(, ) if_empty()
    0};
#else
constexpr char kScript[] = {0};
constexpr char kStyle[] = {0};
#endif

}  // namespace

std::string_view PageScript() { return {kScript, sizeof(kScript) - 1}; }
std::string_view PageStyle() { return {kStyle, sizeof(kStyle) - 1}; }

}  // namespace fairlead::report
