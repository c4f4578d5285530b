#include "instrument/pass/source_text.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

namespace fairlead::pass {
namespace {

namespace path = llvm::sys::path;

bool IsWord(char c) { return llvm::isAlnum(c) || c == '_'; }

// Position of a `//` comment outside string and character literals.
size_t LineCommentStart(llvm::StringRef line) {
  char quote = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '/' && line[i + 1] == '/') {
      return i;
    }
  }
  return llvm::StringRef::npos;
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
  line = line.substr(0, LineCommentStart(line)).trim();
  std::string text;
  bool blank = false;
  for (const char c : line) {
    if (llvm::isSpace(c)) {
      blank = true;
      continue;
    }
    // A blank matters only between two words: `int x`, not `a + b`.
    if (blank && !text.empty() && IsWord(text.back()) && IsWord(c)) text += ' ';
    blank = false;
    text += c;
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
