// base/file.h
//
// Files, with errors that say what could not be done, to which file, and why.
// Nothing here retries or guesses; a full disk is an error at the write that
// met it, or at the close.

#ifndef FAIRLEAD_BASE_FILE_H_
#define FAIRLEAD_BASE_FILE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/guardian.h"
#include "base/result.h"

namespace fairlead {

// Owns a file descriptor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int number) : number_(number) {}
  Fd(Fd&& other) noexcept : number_(other.Release()) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd() { Close(); }

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int Release();
  void Close();

 private:
  int number_ = -1;
};

// No file that people write by hand is larger than this.
inline constexpr size_t kMaxTextBytes = size_t{16} << 20;
// No other file that we read as a whole: programs with all their debug
// information, above all.
inline constexpr size_t kMaxFileBytes = size_t{4} << 30;

// Refuses what has more than `most` bytes before it is read.
Result<std::string> ReadFile(const std::string& path,
                             size_t most = kMaxFileBytes);

// All that can be read from a descriptor, up to its end. What is no file, and
// may have no end, has fewer bytes.
Result<std::string> ReadAll(int fd, std::string_view name,
                            size_t most = kMaxFileBytes);

// The digest (base/digest.h) of `before` and all that is in a file, read in
// pieces; of a file of more than 256 MB, of its size and 1,024 pieces of it.
Result<uint64_t> DigestOfFile(const std::string& path,
                              std::string_view before = "");

// A file that is written from its beginning. Until `Finish` succeeds its name
// belongs to whatever was there before, so a reader never sees half of it; a
// path that is no regular file (/dev/full, a pipe) is written in place. A link
// stays, and what it led to at `Create` is written (base/output_place.h).
class OutputFile {
 public:
  static Result<OutputFile> Create(const std::string& path);
  OutputFile(OutputFile&&) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  // Without `Finish`, nothing is left behind; nor when we are killed.
  ~OutputFile();

  Status Write(std::span<const std::byte> bytes);
  Status Write(std::string_view text);
  Status Finish();

  const std::string& path() const { return path_; }

 private:
  // Where it is written first, and what it becomes: both in one directory,
  // which is held open.
  struct Draft {
    Fd directory;
    std::string name;
    std::string final_name;
    GuardedFile guarded;
  };

  OutputFile(std::string path, std::optional<Draft> draft, Fd fd);
  void Discard();

  std::string path_;
  std::optional<Draft> draft_;  // none = in place, or done
  Fd fd_;
};

Status WriteFile(const std::string& path, std::string_view text);

// The directory of the running executable, links resolved.
Result<std::string> OwnDirectory();

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_FILE_H_
