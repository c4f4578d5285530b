// explore/run/fresh_directory.h
//
// A private directory that is the same at the beginning of every execution: a
// copy of another one, made once and put right afterwards. What was left behind
// goes, what was changed is copied again; what is as it was stays, so that
// large files cost nothing. Where the file system can share blocks between
// files (btrfs, XFS), copies do.
//
// The directory itself stays the same one: a fork server stands in it.
//
// Incomplete: owners, extended attributes, sockets and devices are not copied;
// files of several names become several files.

#ifndef FAIRLEAD_EXPLORE_RUN_FRESH_DIRECTORY_H_
#define FAIRLEAD_EXPLORE_RUN_FRESH_DIRECTORY_H_

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <string>

#include "base/result.h"

namespace fairlead::explore {

class FreshDirectory {
 public:
  // More than this is not copied for each execution by mistake.
  static constexpr uint64_t kMaxFiles = 20'000;
  static constexpr uint64_t kMaxBytes = uint64_t{4} << 30;

  // Makes one under `scratch`, which must exist, for copies of `source`. What
  // lies under `scratch` or `without` is not copied. It is empty until `Renew`.
  static Result<FreshDirectory> Create(const std::string& source,
                                       const std::string& scratch,
                                       const std::string& without);
  FreshDirectory(FreshDirectory&& other) noexcept;
  FreshDirectory& operator=(FreshDirectory&&) = delete;
  ~FreshDirectory();  // removes it with all that is in it

  const std::string& path() const { return path_; }

  // Makes it what `source` is now. Call it while nobody works in it.
  Status Renew();

 private:
  // A file that was copied, and how both were right after that. One that has
  // neither time changed is as it was.
  struct Copied {
    struct stat from;
    struct stat to;
  };

  FreshDirectory(std::string source, std::string scratch, std::string without,
                 std::string path)
      : source_(std::move(source)),
        scratch_(std::move(scratch)),
        without_(std::move(without)),
        path_(std::move(path)) {}

  Status RenewDirectory(const std::string& inside);
  Status RenewEntry(const std::string& inside);
  Status CopyOver(const std::string& inside, const struct stat& from);
  Status RemoveForeign(const std::string& inside);
  bool IsAsItWas(const std::string& inside, const struct stat& from) const;
  void ForgetHasty();

  std::string source_;
  std::string scratch_;
  std::string without_;
  std::string path_;                      // "" = moved away
  std::map<std::string, Copied> copied_;  // by path inside
  uint64_t num_files_ = 0;                // of this renewal
  uint64_t num_bytes_ = 0;
  uint64_t num_new_bytes_ = 0;
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_RUN_FRESH_DIRECTORY_H_
