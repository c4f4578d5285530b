// explore/names/binary_file.h
//
// What a binary's file says about its own code: sites, lines, global objects.
// Reading that takes milliseconds, for large libraries tenths of a second, and
// every execution of a campaign has the same binaries: so each file is read
// once in the life of the tool, as long as it stays what it is.
//
// All addresses are the file's own. Files are untrusted.
//
// Threads: one.

#ifndef FAIRLEAD_EXPLORE_NAMES_BINARY_FILE_H_
#define FAIRLEAD_EXPLORE_NAMES_BINARY_FILE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/names.h"
#include "trace/site_table.h"
#include "trace/source_lines.h"

namespace fairlead::explore {

class BinaryFile {
 public:
  // The one at `path`: as it was read before, unless the file has changed
  // since. Never null; of a file that cannot be read nothing is known.
  static std::shared_ptr<BinaryFile> At(const std::string& path);

  explicit BinaryFile(std::string path) : path_(std::move(path)) {}
  BinaryFile(const BinaryFile&) = delete;
  BinaryFile& operator=(const BinaryFile&) = delete;

  const trace::SiteTable& Sites();

  // What the debug information says about the call that returns to `offset`,
  // with files named as the sites name them, or else relative to our directory.
  const std::vector<trace::SourceLine>& Frames(uint64_t offset);

  // The anchor of the first call site at `place`; 0 = there is none.
  uint64_t AnchorAt(const trace::Place& place);

  // Global objects with their names, by address.
  const std::map<uint64_t, trace::ObjectName>& Objects();

 private:
  std::string ShortName(const std::string& file);

  std::string path_;
  std::optional<trace::SiteTable> sites_;
  std::optional<std::set<std::string>> site_files_;
  std::optional<std::map<trace::Place, uint64_t>> call_anchors_;
  std::optional<trace::SourceLines> lines_;
  std::unordered_map<uint64_t, std::vector<trace::SourceLine>> frames_;
  std::optional<std::map<uint64_t, trace::ObjectName>> objects_;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_BINARY_FILE_H_
