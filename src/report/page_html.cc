#include <fmt/format.h>

#include "base/random_number.h"
#include "report/markup.h"
#include "report/page.h"
#include "report/page_assets.h"

namespace fairlead::report {
namespace {

// JSON in a script element: nothing in it closes the element, or begins one.
std::string InScript(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

std::string ModelElement(const std::string& id, std::string_view json) {
  return fmt::format(
      "<script type=\"application/json\" id=\"{}\">{}</script>\n", id,
      InScript(json));
}

// Only what bears the nonce runs, and nothing is asked of anybody; of itself
// where it is served.
std::string Policy(const std::string& nonce, bool live) {
  return fmt::format(
      "default-src 'none'; script-src 'nonce-{0}'; style-src 'nonce-{0}'; "
      "img-src data:; connect-src {1}; base-uri 'none'; form-action 'none'",
      nonce, live ? "'self'" : "'none'");
}

}  // namespace

Result<std::string> PageHtml(const Page& page) {
  if (PageScript().empty()) {
    return Error(ErrorCode::kEnvironment)
        .Say(
            "this fairlead was built without its page: the package esbuild "
            "was missing")
        .Hint(
            "install it (apt-get install esbuild) and build again; fairlead "
            "show, bugs and test have the other formats");
  }
  const std::string nonce =
      fmt::format("{:016x}{:016x}", RandomNumber(), RandomNumber());
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n"
      "<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style nonce=\"{}\">{}</style>\n</head>\n<body>\n"
      "<noscript>This report is drawn by a script of its own; fairlead show "
      "has the same as text.</noscript>\n"
      "<div id=\"page\"></div>\n",
      Policy(nonce, page.live), XmlText(page.title), nonce, PageStyle());
  html += ModelElement(
      "model",
      PageJson(page).dump(-1, ' ', false, Json::error_handler_t::replace));
  for (size_t i = 0; i < page.findings.size(); ++i) {
    html += ModelElement(fmt::format("run-{}", i),
                         RunJson(*page.findings[i].kept.finding));
  }
  html += fmt::format("<script nonce=\"{}\">{}</script>\n</body>\n</html>\n",
                      nonce, PageScript());
  return html;
}

}  // namespace fairlead::report
