// Trace files: what is written is read, what is damaged is refused.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "sched/rng.h"
#include "tests/trace/samples.h"
#include "trace/digest.h"
#include "trace/encode.h"
#include "trace/file_reader.h"
#include "trace/file_writer.h"
#include "trace/text.h"

namespace fairlead::trace {
namespace {

class TraceFile : public ::testing::Test {
 protected:
  TraceFile() {
    std::string pattern = ::testing::TempDir() + "fairlead-XXXXXX";
    directory_ = mkdtemp(pattern.data());
    path_ = directory_ + "/a.trace";
    trace_ = ParseTrace("main: fork a\na: write x value=1 @a.c:3\n");
    for (Event event : SampleEvents()) {
      event.seq += 2;
      trace_.events.push_back(event);
    }
  }
  ~TraceFile() override { std::filesystem::remove_all(directory_); }

  // `copies` of the events, one after the other.
  void Write(size_t copies = 1) {
    Result<FileWriter> writer = FileWriter::Create(path_);
    ASSERT_TRUE(writer.has_value());
    ASSERT_TRUE(writer->AddAbout("tool: test\n").has_value());
    for (size_t i = 0; i < copies; ++i) {
      ASSERT_TRUE(writer->AddRecords(Encode(trace_.events)).has_value());
    }
    ASSERT_TRUE(writer->AddNames(trace_.names).has_value());
    ASSERT_TRUE(writer->Finish().has_value());
  }

  std::string RefusalOf(const std::string& bytes) {
    EXPECT_TRUE(WriteFile(path_, bytes).has_value());
    const Result<Trace> trace = LoadTrace(path_, Damage::kRefuse);
    if (trace) return "accepted";
    std::string text = trace.error().Text();
    const size_t at = text.find(path_);
    return at == 0 ? text.substr(path_.size()) : text;
  }

  std::string directory_;
  std::string path_;
  Trace trace_;
};

TEST_F(TraceFile, ReadsWhatWasWritten) {
  Write();
  const Result<Trace> read = LoadTrace(path_, Damage::kRefuse);
  ASSERT_TRUE(read.has_value()) << read.error().Text();
  EXPECT_EQ(read->events, trace_.events);
  EXPECT_EQ(read->names, trace_.names);
  const Result<FileReader> reader =
      FileReader::OpenUntrusted(path_, Damage::kRefuse);
  EXPECT_EQ(reader->about(), "tool: test\n");
}

TEST_F(TraceFile, SplitsEventsOverBlocks) {
  // Enough for several blocks of 1 MB; events of several records straddle them.
  const size_t copies =
      3 * kEventBlockBytes / sizeof(abi::Event) / Encode(trace_.events).size() +
      1;
  Write(copies);
  const Result<Trace> read = LoadTrace(path_, Damage::kRefuse);
  ASSERT_TRUE(read.has_value()) << read.error().Text();
  EXPECT_EQ(read->events.size(), copies * trace_.events.size());
}

TEST_F(TraceFile, EveryTruncationIsRefused) {
  Write();
  const std::string bytes = ReadFile(path_).value();
  for (size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_TRUE(WriteFile(path_, bytes.substr(0, size)).has_value());
    const Result<Trace> trace = LoadTrace(path_, Damage::kRefuse);
    ASSERT_FALSE(trace.has_value()) << size;
    if (size >= sizeof(FileHeader)) {
      EXPECT_EQ(trace.error().code(), ErrorCode::kTruncated) << size;
      EXPECT_TRUE(LoadTrace(path_, Damage::kSkip).has_value()) << size;
    }
  }
}

TEST_F(TraceFile, EveryChangedByteIsNoticed) {
  Write();
  const std::string bytes = ReadFile(path_).value();
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    ASSERT_TRUE(WriteFile(path_, changed).has_value());
    EXPECT_FALSE(LoadTrace(path_, Damage::kRefuse).has_value()) << at;
  }
}

TEST_F(TraceFile, RefusalsSayWhereAndWhy) {
  Write();
  const std::string bytes = ReadFile(path_).value();
  EXPECT_EQ(RefusalOf("hello"), " is no trace file");
  EXPECT_EQ(RefusalOf(std::string(100, 'x')), " is no trace file");
  EXPECT_EQ(RefusalOf(bytes + "x"), ": at byte " +
                                        std::to_string(bytes.size()) +
                                        ": something follows the end block; "
                                        "--partial reads what is whole");
  EXPECT_EQ(RefusalOf(bytes.substr(0, 40)),
            ": at byte 40: the file ends too early; "
            "--partial reads what is whole");
  std::string changed = bytes;
  changed[sizeof(FileHeader) + sizeof(BlockHeader) + 1] ^= 1;
  EXPECT_EQ(RefusalOf(changed),
            ": at byte 32: the block's checksum is wrong; "
            "--partial reads what is whole");
}

TEST_F(TraceFile, PartialReadsWhatIsWhole) {
  Write(2 * kEventBlockBytes / sizeof(abi::Event) /
            Encode(trace_.events).size() +
        1);
  const std::string bytes = ReadFile(path_).value();
  const size_t whole = LoadTrace(path_, Damage::kRefuse)->events.size();
  // Cut in the end block: all events are there, and the names.
  ASSERT_TRUE(WriteFile(path_, bytes.substr(0, bytes.size() - 3)).has_value());
  Result<Trace> trace = LoadTrace(path_, Damage::kSkip);
  ASSERT_TRUE(trace.has_value());
  EXPECT_EQ(trace->events.size(), whole);
  EXPECT_EQ(trace->names, trace_.names);
  // Cut in the middle: fewer, and the reader tells.
  ASSERT_TRUE(WriteFile(path_, bytes.substr(0, bytes.size() / 2)).has_value());
  Result<FileReader> reader = FileReader::OpenUntrusted(path_, Damage::kSkip);
  ASSERT_TRUE(reader.has_value());
  ASSERT_TRUE(reader->damage().has_value());
  EXPECT_EQ(reader->damage()->code(), ErrorCode::kTruncated);
  EXPECT_LT(LoadTrace(path_, Damage::kSkip)->events.size(), whole);
}

TEST_F(TraceFile, ANewerFormatIsRefusedWithAdvice) {
  FileHeader header = {.magic = {},
                       .version = kFileVersion + 1,
                       .stream_version = 1,
                       .reserved = 0,
                       .checksum = 0};
  std::memcpy(header.magic, kFileMagic, sizeof(kFileMagic));
  header.checksum =
      fairlead::DigestOf(std::as_bytes(std::span(&header, 1))
                             .first(offsetof(FileHeader, checksum)));
  const std::string bytes(reinterpret_cast<const char*>(&header),
                          sizeof(header));
  EXPECT_EQ(RefusalOf(bytes),
            " uses trace format 3.1; this build reads up to 2.1; "
            "read it with the version that recorded it");
}

TEST_F(TraceFile, AFullDiskIsAnError) {
  Result<FileWriter> writer = FileWriter::Create("/dev/full");
  ASSERT_FALSE(writer.has_value());
  EXPECT_EQ(writer.error().code(), ErrorCode::kNoSpace);
}

TEST(ExecutionDigest, DoesNotDependOnWhereArgumentsLie) {
  Event event;
  event.kind = abi::EventKind::kRead;
  event.size = 8;
  const auto digest = [&](uint64_t address) {
    event.address = address;
    return DigestOf(std::span(&event, 1));
  };
  EXPECT_EQ(digest(0x7ffe'b7df'7b58), digest(0x7fff'6759'ec28));
  EXPECT_NE(digest(0x1000), digest(0x2000));
  EXPECT_NE(digest(0x7ffe'b7df'7b58), digest(0x1000));
}

TEST(ExecutionDigest, DoesNotDependOnAddresses) {
  const auto text = [](std::string_view base) {
    return fmt::format(
        "main: alloc 0x{0}000 value=64 block=1+0,heap\n"
        "main: alloc 0x{0}100 value=64 block=2+0,heap\n"
        "main: write 0x{0}008 value=0x{0}110\n"
        "main: free 0x{0}000 block=1+0,heap\n"
        "main: read 0x{0}008 value=0x{0}110\n",
        base);
  };
  const auto digest = [](const std::string& trace) {
    return DigestOf(ParseTrace(trace).events);
  };
  EXPECT_EQ(digest(text("7f01")), digest(text("55aa")));
  // Another offset, another value, another order: another execution.
  EXPECT_NE(digest(text("7f01")),
            digest("main: alloc 0x7f01000 value=64 block=1+0,heap\n"));
  EXPECT_NE(digest("a: write x value=1\n"), digest("a: write x value=2\n"));
  const std::string threads = "thread 1 a\nthread 2 b\n";
  EXPECT_NE(digest(threads + "a: write x\nb: write x\n"),
            digest(threads + "b: write x\na: write x\n"));
}

TEST(Blocks, LaterBlocksTakeTheMemoryOfEarlierOnes) {
  const Trace trace = ParseTrace(
      "main: alloc 0x1000 value=64 block=1+0,heap\n"
      "main: free 0x1000 block=1+0,heap\n"
      "main: alloc 0x1020 value=16 block=2+0,heap\n"
      "main: munmap 0x1000 value=4096\n");
  Blocks blocks;
  blocks.OnEvent(trace.events[0]);
  blocks.OnEvent(trace.events[1]);
  EXPECT_EQ(blocks.Locate(0x1028), (Location{1, 0x28}));
  EXPECT_EQ(blocks.Locate(0x1040), (Location{0, 0x1040}));
  blocks.OnEvent(trace.events[2]);
  EXPECT_EQ(blocks.Locate(0x1028), (Location{2, 8}));
  EXPECT_EQ(blocks.num_live(), 1u);
  blocks.OnEvent(trace.events[3]);
  EXPECT_EQ(blocks.num_live(), 0u);
}

}  // namespace
}  // namespace fairlead::trace
