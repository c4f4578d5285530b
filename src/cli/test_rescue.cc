#include "cli/test_rescue.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "base/file.h"
#include "base/log.h"
#include "cli/bug_subject.h"
#include "cli/command.h"
#include "finding/bug_file.h"

namespace fairlead::cli {
namespace {

// The name of a new file with `text` in `directory`; "" = there is no room.
std::string WriteInto(const std::string& directory, const std::string& text) {
  constexpr int kSuffix = 6;  // ".flbug"
  std::string path = directory + "/fairlead-XXXXXX.flbug";
  const Fd fd(mkostemps(path.data(), kSuffix, O_CLOEXEC));
  if (!fd) return "";
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t got =
        write(fd.get(), text.data() + written, text.size() - written);
    if (got < 0) {
      unlink(path.c_str());
      return "";
    }
    written += static_cast<size_t>(got);
  }
  return path;
}

std::string Rescue(const finding::BugFile& bug) {
  const std::string text = JsonText(finding::BugFileJson(bug));
  const char* temporary = getenv("TMPDIR");
  for (const char* directory : {".", temporary, "/tmp", "/var/tmp"}) {
    if (directory == nullptr || *directory == '\0') continue;
    std::string path = WriteInto(directory, text);
    if (!path.empty()) return path;
  }
  return "";
}

}  // namespace

void RescueFindings(const explore::CampaignResult& result, const Json& setting,
                    std::vector<ToldFinding>& told) {
  for (size_t i = 0; i < told.size(); ++i) {
    const explore::Found& found = result.findings[i];
    if (told[i].stored || !found.counts) continue;
    if (!found.finding.witness.schedule) continue;
    store::StoredFinding unstored;
    unstored.finding = found.finding;
    unstored.setting = setting;
    unstored.tool = Version();
    told[i].file = Rescue(BugFileOf(unstored));
    if (told[i].file.empty()) {
      Warn(
          "a finding could be kept neither in the store nor in a file; the "
          "same seed finds it again");
    }
  }
}

}  // namespace fairlead::cli
