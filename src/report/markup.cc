#include "report/markup.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace fairlead::report {
namespace {

// What XML 1.0 has no character reference for, though it is UTF-8.
std::string WithoutNoncharacters(std::string text) {
  for (const std::string_view each : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (size_t at = 0; (at = text.find(each, at)) != std::string::npos;) {
      text.replace(at, each.size(), "\xef\xbf\xbd");
    }
  }
  return text;
}

bool IsAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

std::string Percent(std::string_view text, std::string_view kept) {
  std::string result;
  for (const char c : text) {
    if (kept.contains(c)) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::string Workflow(std::string_view text, std::string_view escaped) {
  std::string result;
  for (const char c : Printable(text)) {
    if (escaped.contains(c)) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string result;
  for (const char c : WithoutNoncharacters(Printable(text))) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string MarkdownText(std::string_view text) {
  constexpr std::string_view kPlain = " ,;/-%";
  std::string result;
  for (const char c : PrintableLine(text)) {
    const bool ascii = static_cast<unsigned char>(c) < 0x80;
    if (!ascii || IsAlnum(c) || kPlain.contains(c)) {
      result += c;
    } else {
      result += fmt::format("&#{};", static_cast<int>(c));
    }
  }
  return result;
}

std::string MarkdownBlock(std::string_view text) {
  const std::string shown = Printable(text);
  size_t longest = 2;
  size_t run = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}text\n{}{}{}\n", fence, shown,
                     shown.ends_with('\n') || shown.empty() ? "" : "\n", fence);
}

std::string WorkflowMessage(std::string_view text) {
  return Workflow(text, "%\r\n");
}

std::string WorkflowProperty(std::string_view text) {
  return Workflow(text, "%\r\n:,");
}

std::string UriOf(std::string_view path) {
  constexpr std::string_view kKept =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/+";
  return (path.starts_with('/') ? "file://" : "") + Percent(path, kKept);
}

}  // namespace fairlead::report
