// cli/scratch.h
//
// Where private directories of executions (--fresh-dir) are: beside the store,
// so that they are likely to share a file system, and its blocks, with what
// they are copies of.

#ifndef FAIRLEAD_CLI_SCRATCH_H_
#define FAIRLEAD_CLI_SCRATCH_H_

#include <optional>
#include <string>

#include "base/result.h"
#include "explore/run/workplace.h"

namespace fairlead::cli {

// A directory of this process; goes with it, if it is empty. What a process
// that is gone has left is taken away when another one is made.
class Scratch {
 public:
  static Result<Scratch> Make(const std::string& store);
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;
  ~Scratch();

  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}

  std::string path_;  // "" = moved away
};

// Fills in `order` if directories are to be `fresh`: then there is a scratch,
// which must outlive what is run there.
Result<std::optional<Scratch>> PrepareScratch(bool fresh,
                                              const std::string& store,
                                              explore::WorkplaceOrder& order);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_SCRATCH_H_
