// trace/file_reader.h
//
// Reads a trace file (trace/file_format.h), which is untrusted. `Open` looks at
// every block and checks every checksum, so that names are known before the
// first event and a damaged file is refused before anything is printed; events
// are then decompressed block by block.

#ifndef FAIRLEAD_TRACE_FILE_READER_H_
#define FAIRLEAD_TRACE_FILE_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/result.h"
#include "trace/decode.h"
#include "trace/file_format.h"
#include "trace/trace.h"

namespace fairlead::trace {

enum class Damage {
  kRefuse,  // an error with the offset and the reason
  kSkip,    // read what is whole; `damage()` tells what was wrong
};

class FileReader {
 public:
  static Result<FileReader> OpenUntrusted(const std::string& path,
                                          Damage damage);

  const std::string& about() const { return about_; }
  const Names& names() const { return names_; }
  uint64_t num_records() const { return num_records_; }
  const std::optional<Error>& damage() const { return damage_; }

  // The next event; false at the end.
  Result<bool> Next(Event& event);

 private:
  struct Block {
    BlockKind kind;
    uint64_t offset;  // of the stored bytes
    uint64_t stored_bytes;
    uint64_t raw_bytes;
  };
  FileReader(std::string path, Fd fd, uint64_t size);

  Result<std::string> Read(uint64_t offset, uint64_t size) const;
  Status ReadHeader();
  Status Scan();
  Result<Block> CheckBlock(uint64_t offset) const;
  Status TakeBlock(const Block& block, bool& ended);
  Result<std::string> Raw(const Block& block) const;
  Error At(ErrorCode code, uint64_t offset, std::string_view reason) const;

  std::string path_;
  Fd fd_;
  uint64_t size_;
  std::string about_;
  Names names_;
  std::vector<Block> blocks_;  // of events
  size_t next_block_ = 0;
  uint64_t num_records_ = 0;
  std::optional<Error> damage_;
  Decoder decoder_;
};

// All of a file as a value.
Result<Trace> LoadTrace(const std::string& path, Damage damage);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_FILE_READER_H_
