#include "instrument/cc/response_file.h"

#include <utility>

namespace fairlead::cc {
namespace {

// Deeper nesting is a file that includes itself; clang refuses that as well.
constexpr int kMaxDepth = 20;

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

void Expand(std::span<const std::string> args, const FileReader& read,
            int depth, std::vector<std::string>& out) {
  for (const std::string& arg : args) {
    std::optional<std::string> text;
    if (arg.size() > 1 && arg[0] == '@' && depth < kMaxDepth) {
      text = read(arg.substr(1));
    }
    if (text) {
      Expand(SplitResponse(*text), read, depth + 1, out);
    } else {
      out.push_back(arg);
    }
  }
}

}  // namespace

std::vector<std::string> SplitResponse(std::string_view text) {
  std::vector<std::string> args;
  std::string current;
  bool started = false;  // `current` is an argument, even if empty
  char quote = 0;        // the quote we are in, or 0
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && IsSpace(c)) {
      if (started) args.push_back(std::exchange(current, {}));
      started = false;
      continue;
    }
    started = true;
    if (c == '\\' && i + 1 < text.size()) {
      current += text[++i];
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      current += c;
    }
  }
  if (started) args.push_back(current);
  return args;
}

std::vector<std::string> ExpandResponses(std::span<const std::string> args,
                                         const FileReader& read) {
  std::vector<std::string> out;
  Expand(args, read, 0, out);
  return out;
}

}  // namespace fairlead::cc
