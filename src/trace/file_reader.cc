#include "trace/file_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cstring>

#include "base/digest.h"
#include "trace/names_text.h"

namespace fairlead::trace {
namespace {

constexpr std::string_view kPartialHint = "--partial reads what is whole";

template <typename T>
T FromBytes(const std::string& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

}  // namespace

FileReader::FileReader(std::string path, Fd fd, uint64_t size)
    : path_(std::move(path)), fd_(std::move(fd)), size_(size) {}

Result<FileReader> FileReader::OpenUntrusted(const std::string& path,
                                             Damage damage) {
  // What is no file is refused, and a pipe is not waited for.
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return SystemError(errno, fmt::format("cannot open {}", path));
  struct stat what;
  if (fstat(fd.get(), &what) != 0 || !S_ISREG(what.st_mode)) {
    return Error(ErrorCode::kMalformed).Say("{} is no file", path);
  }
  FileReader reader(path, std::move(fd), static_cast<uint64_t>(what.st_size));
  if (Status header = reader.ReadHeader(); !header) return header.error();
  if (Status scanned = reader.Scan(); !scanned) {
    if (damage == Damage::kRefuse) return scanned.error();
    reader.damage_ = scanned.error();
  }
  return reader;
}

Error FileReader::At(ErrorCode code, uint64_t offset,
                     std::string_view reason) const {
  return Error(code)
      .Say("{}: at byte {}: {}", path_, offset, reason)
      .Hint("{}", kPartialHint);
}

Result<std::string> FileReader::Read(uint64_t offset, uint64_t size) const {
  if (offset > size_ || size > size_ - offset) {
    return At(ErrorCode::kTruncated, size_, "the file ends too early");
  }
  std::string bytes(size, '\0');
  for (uint64_t done = 0; done < size;) {
    const ssize_t got = pread(fd_.get(), bytes.data() + done, size - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return SystemError(errno, "cannot read " + path_);
    if (got == 0) {
      return At(ErrorCode::kTruncated, offset + done,
                "the file ends too early");
    }
    done += static_cast<uint64_t>(got);
  }
  return bytes;
}

Status FileReader::ReadHeader() {
  if (size_ < sizeof(FileHeader)) {
    return Error(ErrorCode::kMalformed).Say("{} is no trace file", path_);
  }
  const Result<std::string> bytes = Read(0, sizeof(FileHeader));
  if (!bytes) return bytes.error();
  const auto header = FromBytes<FileHeader>(*bytes);
  if (std::memcmp(header.magic, kFileMagic, sizeof(kFileMagic)) != 0) {
    return Error(ErrorCode::kMalformed).Say("{} is no trace file", path_);
  }
  const std::string_view covered(bytes->data(), offsetof(FileHeader, checksum));
  if (DigestOf(covered) != header.checksum) {
    return Error(ErrorCode::kCorrupt)
        .Say("{}: at byte 0: the header's checksum is wrong", path_)
        .Hint("nothing of the file can be trusted");
  }
  if (header.version > kFileVersion ||
      header.stream_version > abi::kStreamVersion) {
    return Error(ErrorCode::kTooNew)
        .Say("{} uses trace format {}.{}; this build reads up to {}.{}", path_,
             header.version, header.stream_version, kFileVersion,
             abi::kStreamVersion)
        .Hint("read it with the version that recorded it");
  }
  return {};
}

Result<FileReader::Block> FileReader::CheckBlock(uint64_t offset) const {
  const Result<std::string> bytes = Read(offset, sizeof(BlockHeader));
  if (!bytes) return bytes.error();
  const auto header = FromBytes<BlockHeader>(*bytes);
  if (header.kind < BlockKind::kAbout || header.kind > BlockKind::kEnd ||
      header.raw_bytes > kMaxBlockBytes ||
      header.stored_bytes > ZSTD_compressBound(kMaxBlockBytes)) {
    return At(ErrorCode::kCorrupt, offset, "this is no block");
  }
  const Result<std::string> stored =
      Read(offset + sizeof(BlockHeader), header.stored_bytes);
  if (!stored) return stored.error();
  Digester digester;
  digester.Add(
      std::as_bytes(std::span(*bytes)).first(offsetof(BlockHeader, checksum)));
  digester.Add(std::as_bytes(std::span(*stored)));
  if (digester.Value() != header.checksum) {
    return At(ErrorCode::kCorrupt, offset, "the block's checksum is wrong");
  }
  return Block{.kind = header.kind,
               .offset = offset + sizeof(BlockHeader),
               .stored_bytes = header.stored_bytes,
               .raw_bytes = header.raw_bytes};
}

Result<std::string> FileReader::Raw(const Block& block) const {
  const Result<std::string> stored = Read(block.offset, block.stored_bytes);
  if (!stored) return stored.error();
  std::string raw(block.raw_bytes, '\0');
  const size_t size =
      ZSTD_decompress(raw.data(), raw.size(), stored->data(), stored->size());
  if (ZSTD_isError(size) || size != raw.size()) {
    return At(ErrorCode::kCorrupt, block.offset, "the block does not unpack");
  }
  return raw;
}

Status FileReader::TakeBlock(const Block& block, bool& ended) {
  if (block.kind == BlockKind::kEvents) {
    if (block.raw_bytes % sizeof(abi::Event) != 0) {
      return At(ErrorCode::kCorrupt, block.offset, "half a record");
    }
    num_records_ += block.raw_bytes / sizeof(abi::Event);
    blocks_.push_back(block);
    return {};
  }
  const Result<std::string> raw = Raw(block);
  if (!raw) return raw.error();
  if (block.kind == BlockKind::kAbout) {
    about_ += *raw;
  } else if (block.kind == BlockKind::kNames) {
    Result<Names> names = ParseNamesUntrusted(*raw);
    if (!names) return names.error().In(path_);
    names_.Merge(*std::move(names));
  } else {
    ended = true;
    if (raw->size() != sizeof(Totals) ||
        FromBytes<Totals>(*raw).num_records != num_records_) {
      return At(ErrorCode::kCorrupt, block.offset,
                "the file does not hold as many records as it says");
    }
  }
  return {};
}

Status FileReader::Scan() {
  bool ended = false;
  uint64_t offset = sizeof(FileHeader);
  while (offset < size_ && !ended) {
    const Result<Block> block = CheckBlock(offset);
    if (!block) return block.error();
    if (Status taken = TakeBlock(*block, ended); !taken) return taken;
    offset = block->offset + block->stored_bytes;
  }
  if (!ended) {
    return At(ErrorCode::kTruncated, size_, "the file has no end block");
  }
  if (offset != size_) {
    return At(ErrorCode::kCorrupt, offset, "something follows the end block");
  }
  return {};
}

Result<bool> FileReader::Next(Event& event) {
  while (true) {
    Result<bool> got = decoder_.Next(event);
    if (!got) return got.error().In(path_);
    if (*got) return true;
    if (next_block_ == blocks_.size()) break;
    const Result<std::string> raw = Raw(blocks_[next_block_++]);
    if (!raw) return raw.error();
    std::vector<abi::Event> records(raw->size() / sizeof(abi::Event));
    std::memcpy(static_cast<void*>(records.data()), raw->data(), raw->size());
    decoder_.FeedUntrusted(records);
  }
  if (damage_) return false;  // an event that was cut off is no surprise
  if (Status finished = decoder_.Finish(); !finished) {
    return finished.error().In(path_);
  }
  return false;
}

Result<Trace> LoadTrace(const std::string& path, Damage damage) {
  Result<FileReader> reader = FileReader::OpenUntrusted(path, damage);
  if (!reader) return reader.error();
  Trace trace;
  trace.names = reader->names();
  Event event;
  while (true) {
    const Result<bool> got = reader->Next(event);
    if (!got) return got.error();
    if (!*got) return trace;
    trace.events.push_back(event);
  }
}

}  // namespace fairlead::trace
