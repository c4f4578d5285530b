// trace/file_format.h
//
// A trace in a file: a header, then blocks, each compressed (zstd) and with a
// checksum, so that a file that was cut or changed is noticed and what lies
// before the damage can still be read.
//
//   FileHeader   { magic, versions, checksum }
//   BlockHeader  { kind, bytes stored and raw, checksum }   stored bytes
//   …
//   BlockHeader  { kEnd }                                   Totals
//
//   kAbout    text lines "key: value": which tool, program, arguments, outcome
//   kNames    text of trace/names_text.h; a later block adds to earlier ones
//   kEvents   records of abi/event.h; an event may go on in the next such block
//   kEnd      the last one; a file without it was cut
//
// A checksum covers the header before it and the stored bytes.

#ifndef FAIRLEAD_TRACE_FILE_FORMAT_H_
#define FAIRLEAD_TRACE_FILE_FORMAT_H_

#include <cstddef>
#include <cstdint>

namespace fairlead::trace {

// History of the file format (newest first; readers refuse newer ones):
//   2  kNames has types, functions, and what the compiler knows of sites; files
//      of version 1 have none of it.
//   1  first layout.
inline constexpr uint32_t kFileVersion = 2;

inline constexpr char kFileMagic[8] = {'F', 'L', 'T', 'R', 'A', 'C', 'E', '\n'};

struct FileHeader {
  char magic[8];
  uint32_t version;         // kFileVersion
  uint32_t stream_version;  // abi::kStreamVersion of the records
  uint64_t reserved;
  uint64_t checksum;  // of all before it
};
static_assert(sizeof(FileHeader) == 32);

enum class BlockKind : uint32_t { kAbout = 1, kNames, kEvents, kEnd };

struct BlockHeader {
  BlockKind kind;
  uint32_t reserved;
  uint64_t raw_bytes;
  uint64_t stored_bytes;
  uint64_t checksum;
};
static_assert(sizeof(BlockHeader) == 32);

struct Totals {
  uint64_t num_records;
  uint64_t records_digest;  // of all records, as bytes
};

// No block is larger, raw; a header that says so is damaged.
inline constexpr uint64_t kMaxBlockBytes = uint64_t{256} << 20;

// Records are gathered into blocks of this many bytes: large enough for the
// compressor (whose window at the level we use is 512 KB), small enough that
// little is lost with the last block.
inline constexpr size_t kEventBlockBytes = size_t{1} << 20;

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_FILE_FORMAT_H_
