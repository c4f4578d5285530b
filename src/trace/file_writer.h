// trace/file_writer.h
//
// Writes a trace file (trace/file_format.h) while its execution goes on. The
// file gets its name only with `Finish`; `KeepPartial` gives it the name
// without an end block, for an execution whose recording could not be finished.

#ifndef FAIRLEAD_TRACE_FILE_WRITER_H_
#define FAIRLEAD_TRACE_FILE_WRITER_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/event.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/result.h"
#include "trace/file_format.h"
#include "trace/names.h"

namespace fairlead::trace {

class FileWriter {
 public:
  static Result<FileWriter> Create(const std::string& path);
  FileWriter(FileWriter&&) noexcept;
  ~FileWriter();

  Status AddAbout(std::string_view lines);
  Status AddNames(const Names& names);
  Status AddRecords(std::span<const abi::Event> records);

  Status Finish();
  Status KeepPartial();

 private:
  explicit FileWriter(OutputFile file);
  Status FlushRecords();
  Status AddBlock(BlockKind kind, std::span<const std::byte> raw);

  struct Compressor;
  OutputFile file_;
  std::unique_ptr<Compressor> compressor_;
  std::vector<abi::Event> pending_;
  uint64_t num_records_ = 0;
  Digester digester_;
};

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_FILE_WRITER_H_
