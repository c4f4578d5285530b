#include "base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace fairlead {
namespace {

constexpr std::string_view kWhite = " \t\r\n\v\f";
constexpr std::string_view kPlainInShell =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    "-_./=:,+@%^";

}  // namespace

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhite) - begin + 1);
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = text.find(separator, begin);
    if (end == std::string_view::npos) break;
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t begin = text.find_first_not_of(kWhite);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kWhite, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kWhite, end);
  }
  return words;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || failure != std::errc() || stop != end) return {};
  return number;
}

// For what must not be printed as it is: a word of ANSI-C quoting, $'...'.
static std::string ShellEscape(std::string_view text) {
  std::string quoted = "$'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      quoted += "\\n";
    } else if (byte < ' ' || byte == 0x7f) {
      quoted += fmt::format("\\{:03o}", byte);
    } else {
      if (c == '\'' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellQuote(std::string_view text) {
  if (!text.empty() &&
      text.find_first_not_of(kPlainInShell) == std::string_view::npos) {
    return std::string(text);
  }
  const auto controls = [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  };
  if (std::ranges::any_of(text, controls)) return ShellEscape(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ShellCommand(std::span<const std::string> argv) {
  std::string command;
  for (const std::string& word : argv) {
    if (!command.empty()) command += ' ';
    command += ShellQuote(word);
  }
  return command;
}

std::string Escape(std::string_view text) {
  if (text.empty()) return "%";
  std::string escaped;
  for (const char c : text) {
    if (c > ' ' && c < 0x7f && c != '%') {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::optional<std::string> Unescape(std::string_view text) {
  if (text.empty()) return {};
  if (text == "%") return "";
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    unsigned byte = 0;
    if (text.size() - i < 3) return {};
    const char* end = text.data() + i + 3;
    const auto [stop, failure] = std::from_chars(end - 2, end, byte, 16);
    if (failure != std::errc() || stop != end) return {};
    plain += static_cast<char>(byte);
    i += 2;
  }
  return plain;
}

std::string Clipped(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  size_t kept = most;
  // Not within a character of UTF-8.
  while (kept != 0 && (text[kept] & 0xc0) == 0x80) --kept;
  return fmt::format("{}… ({} bytes)", text.substr(0, kept), text.size());
}

std::string Counted(uint64_t number, std::string_view singular) {
  return fmt::format("{} {}{}", number, singular, number == 1 ? "" : "s");
}

std::string Grouped(uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (size_t i = text.size(); i > 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

}  // namespace fairlead
