#include "trace/file_writer.h"

#include <zstd.h>

#include <cstring>

#include "base/check.h"
#include "trace/names_text.h"

namespace fairlead::trace {
namespace {

constexpr int kLevel = 1;  // keeps up with a program that streams

template <typename T>
std::span<const std::byte> BytesOf(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

struct FileWriter::Compressor {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  std::vector<std::byte> room;

  ~Compressor() { ZSTD_freeCCtx(zstd); }

  std::span<const std::byte> Compress(std::span<const std::byte> raw) {
    room.resize(ZSTD_compressBound(raw.size()));
    const size_t size = ZSTD_compressCCtx(zstd, room.data(), room.size(),
                                          raw.data(), raw.size(), kLevel);
    FL_CHECK(!ZSTD_isError(size), "{}", ZSTD_getErrorName(size));
    return std::span(room).first(size);
  }
};

FileWriter::FileWriter(OutputFile file)
    : file_(std::move(file)), compressor_(std::make_unique<Compressor>()) {}
FileWriter::FileWriter(FileWriter&&) noexcept = default;
FileWriter::~FileWriter() = default;

Result<FileWriter> FileWriter::Create(const std::string& path) {
  Result<OutputFile> file = OutputFile::Create(path);
  if (!file) return file.error();
  FileWriter writer(*std::move(file));
  FileHeader header = {.magic = {},
                       .version = kFileVersion,
                       .stream_version = abi::kStreamVersion,
                       .reserved = 0,
                       .checksum = 0};
  std::memcpy(header.magic, kFileMagic, sizeof(kFileMagic));
  header.checksum =
      DigestOf(BytesOf(header).first(offsetof(FileHeader, checksum)));
  if (Status put = writer.file_.Write(BytesOf(header)); !put) {
    return put.error();
  }
  return writer;
}

Status FileWriter::AddBlock(BlockKind kind, std::span<const std::byte> raw) {
  const std::span stored = compressor_->Compress(raw);
  BlockHeader header = {.kind = kind,
                        .reserved = 0,
                        .raw_bytes = raw.size(),
                        .stored_bytes = stored.size(),
                        .checksum = 0};
  Digester digester;
  digester.Add(BytesOf(header).first(offsetof(BlockHeader, checksum)));
  digester.Add(stored);
  header.checksum = digester.Value();
  if (Status put = file_.Write(BytesOf(header)); !put) return put;
  return file_.Write(stored);
}

Status FileWriter::AddAbout(std::string_view lines) {
  return AddBlock(BlockKind::kAbout, std::as_bytes(std::span(lines)));
}

Status FileWriter::AddNames(const Names& names) {
  const std::string text = PrintNames(names);
  return AddBlock(BlockKind::kNames, std::as_bytes(std::span(text)));
}

Status FileWriter::AddRecords(std::span<const abi::Event> records) {
  while (!records.empty()) {
    const size_t room = kEventBlockBytes / sizeof(abi::Event) - pending_.size();
    const size_t taken = std::min(room, records.size());
    pending_.insert(pending_.end(), records.begin(),
                    records.begin() + static_cast<ptrdiff_t>(taken));
    records = records.subspan(taken);
    if (taken == room) {
      if (Status put = FlushRecords(); !put) return put;
    }
  }
  return {};
}

Status FileWriter::FlushRecords() {
  if (pending_.empty()) return {};
  const std::span bytes = std::as_bytes(std::span(pending_));
  digester_.Add(bytes);
  num_records_ += pending_.size();
  Status put = AddBlock(BlockKind::kEvents, bytes);
  pending_.clear();
  return put;
}

Status FileWriter::Finish() {
  if (Status put = FlushRecords(); !put) return put;
  const Totals totals = {.num_records = num_records_,
                         .records_digest = digester_.Value()};
  if (Status put = AddBlock(BlockKind::kEnd, BytesOf(totals)); !put) return put;
  return file_.Finish();
}

Status FileWriter::KeepPartial() {
  if (Status put = FlushRecords(); !put) return put;
  return file_.Finish();
}

}  // namespace fairlead::trace
