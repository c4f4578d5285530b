#include "instrument/pass/source_text.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace fairlead::pass {
namespace {

namespace path = llvm::sys::path;

bool IsWord(char c) { return llvm::isAlnum(c) || c == '_'; }

// Length of the comment that `text` begins with; 0 = it begins with none. A
// comment that goes on in the next line takes all of this one.
size_t CommentLength(llvm::StringRef text) {
  if (text.starts_with("//")) return text.size();
  if (!text.starts_with("/*")) return 0;
  const size_t end = text.find("*/", 2);
  return end == llvm::StringRef::npos ? text.size() : end + 2;
}

// Length of the literal that `text` begins with, quotes included; 0 = none.
size_t LiteralLength(llvm::StringRef text) {
  const char quote = text.front();
  if (quote != '"' && quote != '\'') return 0;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

// Length of the word or number that `text` begins with; 0 = none. A number may
// hold quotes: 1'000.
size_t WordLength(llvm::StringRef text) {
  size_t length = 0;
  while (length < text.size() &&
         (IsWord(text[length]) ||
          (text[length] == '\'' && llvm::isDigit(text.front())))) {
    ++length;
  }
  return length;
}

std::string AbsolutePath(const llvm::DIFile* file) {
  llvm::SmallString<256> full(file->getFilename());
  if (!path::is_absolute(full)) {
    full = file->getDirectory();
    path::append(full, file->getFilename());
  }
  path::remove_dots(full, /*remove_dot_dot=*/true);
  return std::string(full);
}

bool IsLibraryPath(llvm::StringRef full) {
  return full.starts_with("/usr/include/") || full.starts_with("/usr/lib/") ||
         full.starts_with("/usr/local/include/");
}

// The part of `full` below `root`, or empty.
llvm::StringRef Below(llvm::StringRef full, llvm::StringRef root) {
  if (root.empty() || root == "/" || !full.consume_front(root)) return {};
  return full.consume_front("/") ? full : llvm::StringRef();
}

}  // namespace

std::string NormaliseLine(llvm::StringRef line) {
  std::string text;
  bool blank = false;
  while (!line.empty()) {
    size_t length = CommentLength(line);
    if (length != 0 || llvm::isSpace(line.front())) {
      line = line.substr(std::max<size_t>(length, 1));
      blank = true;
      continue;
    }
    length = WordLength(line);
    // A blank matters only between two words: `int x`, not `a + b`.
    if (blank && length != 0 && !text.empty() && IsWord(text.back())) {
      text += ' ';
    }
    blank = false;
    if (length == 0) length = std::max<size_t>(LiteralLength(line), 1);
    text += line.substr(0, length);
    line = line.substr(length);
  }
  return text;
}

llvm::StringRef SourceText::Line(const llvm::DIFile* file, unsigned line) {
  if (file == nullptr || line == 0) return {};
  auto [entry, fresh] = lines_.try_emplace(AbsolutePath(file));
  std::vector<std::string>& lines = entry->second;
  if (fresh) {
    llvm::SmallVector<llvm::StringRef, 0> raw;
    std::unique_ptr<llvm::MemoryBuffer> read;
    if (file->getSource()) {
      file->getSource()->split(raw, '\n');
    } else if (auto buffer = llvm::MemoryBuffer::getFile(entry->first())) {
      read = std::move(*buffer);
      read->getBuffer().split(raw, '\n');
    }
    lines.reserve(raw.size());
    for (llvm::StringRef text : raw) lines.push_back(NormaliseLine(text));
  }
  return line <= lines.size() ? llvm::StringRef(lines[line - 1])
                              : llvm::StringRef();
}

const SourcePath& SourceText::Path(const llvm::DIFile* file) {
  auto [entry, fresh] = paths_.try_emplace(file);
  SourcePath& result = entry->second;
  if (!fresh || file == nullptr) return result;

  const std::string full = AbsolutePath(file);
  result.library = IsLibraryPath(full);
  result.path = full;
  for (llvm::StringRef root : {llvm::StringRef(root_), file->getDirectory()}) {
    if (llvm::StringRef below = Below(full, root); !below.empty()) {
      result.path = below.str();
      result.root = root.str();
      break;
    }
  }
  return result;
}

}  // namespace fairlead::pass
