// Tests of base/file.h.

#include "base/file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <set>

namespace fairlead {
namespace {

// A directory that is gone after the test.
class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern = ::testing::TempDir() + "fairlead-XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) { return directory_ + "/" + name; }
  size_t NumFiles() {
    size_t number = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(directory_)) {
      ++number;
    }
    return number;
  }

  std::string directory_;
};

TEST_F(FileTest, ReadsWhatWasWritten) {
  const std::string text("a\0b\n", 4);
  ASSERT_TRUE(WriteFile(Path("a"), text).has_value());
  EXPECT_EQ(ReadFile(Path("a")).value(), text);
}

TEST_F(FileTest, SaysWhichFileDoesNotExist) {
  const Result<std::string> text = ReadFile(Path("none"));
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(text.error().Text(), "cannot open " + Path("none") +
                                     ": No such file or directory; "
                                     "check the path");
}

TEST_F(FileTest, DoesNotWaitForTheOtherEndOfAPipe) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(
      ReadFile(Path("pipe")).error().sentence(),
      "cannot read " + Path("pipe") + ": it is a pipe that nobody writes to");
  EXPECT_EQ(
      WriteFile(Path("pipe"), "x").error().sentence(),
      "cannot write " + Path("pipe") + ": it is a pipe that nobody reads");
}

TEST_F(FileTest, ReadsAPipeThatSomebodyWrites) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  const Fd reader(open(Path("pipe").c_str(), O_RDONLY | O_NONBLOCK));
  Fd writer(open(Path("pipe").c_str(), O_WRONLY));
  ASSERT_EQ(write(writer.get(), "word", 4), 4);
  // The end is where the last writer has gone.
  writer.Close();
  EXPECT_EQ(ReadAll(reader.get(), "pipe").value(), "word");
}

TEST_F(FileTest, SaysThatADirectoryIsNoFile) {
  EXPECT_EQ(ReadFile(directory_).error().Text(),
            "cannot read " + directory_ + ": Is a directory");
}

TEST_F(FileTest, SaysThatADirectoryDoesNotExist) {
  const Status status = WriteFile(Path("no/file"), "x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code(), ErrorCode::kNotFound);
}

TEST_F(FileTest, SaysThatTheDiskIsFull) {
  const Status status = WriteFile("/dev/full", "x");
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code(), ErrorCode::kNoSpace);
  EXPECT_EQ(status.error().Text(),
            "cannot write /dev/full: No space left on device; "
            "free some space or choose another place");
}

TEST_F(FileTest, AFileWithoutEndIsRefused) {
  const Result<std::string> text = ReadFile("/dev/zero");
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().Text(),
            "/dev/zero holds more than 256 MB, or has no end; "
            "give the file that was meant");
}

TEST_F(FileTest, AFileThatIsTooLargeIsNotEvenRead) {
  ASSERT_TRUE(WriteFile(Path("a"), "").has_value());
  ASSERT_EQ(truncate(Path("a").c_str(), off_t{1} << 40), 0);
  const Result<std::string> text = ReadFile(Path("a"));
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code(), ErrorCode::kUsage);
}

// Somebody who may write in the directory knows the name and our number.
TEST_F(FileTest, LinksWhereADraftMightBeLeadNowhere) {
  ASSERT_TRUE(WriteFile(Path("victim"), "precious").has_value());
  const std::string known = fmt::format("{}.{}.part", Path("a"), getpid());
  ASSERT_EQ(symlink(Path("victim").c_str(), known.c_str()), 0);
  ASSERT_TRUE(WriteFile(Path("a"), "mine").has_value());
  EXPECT_EQ(ReadFile(Path("victim")).value(), "precious");
  EXPECT_EQ(ReadFile(Path("a")).value(), "mine");
}

TEST_F(FileTest, DraftsCannotBeForeseen) {
  std::set<std::string> drafts;
  for (int i = 0; i < 4; ++i) {
    Result<OutputFile> file = OutputFile::Create(Path("a"));
    ASSERT_TRUE(file.has_value());
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      drafts.insert(entry.path());
    }
  }
  EXPECT_EQ(drafts.size(), 4u);
}

TEST_F(FileTest, ALinkStaysAndWhatItLeadsToIsReplaced) {
  std::filesystem::create_directory(Path("d"));
  ASSERT_TRUE(WriteFile(Path("d/file"), "old").has_value());
  ASSERT_EQ(symlink("d/file", Path("inner").c_str()), 0);
  ASSERT_EQ(symlink(Path("inner").c_str(), Path("a").c_str()), 0);
  Result<OutputFile> file = OutputFile::Create(Path("a"));
  ASSERT_TRUE(file.has_value()) << file.error().Text();
  ASSERT_TRUE(file->Write("new").has_value());
  EXPECT_EQ(ReadFile(Path("a")).value(), "old") << "half of it is seen";
  ASSERT_TRUE(file->Finish().has_value());
  EXPECT_EQ(ReadFile(Path("d/file")).value(), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(Path("a")));
  EXPECT_TRUE(std::filesystem::is_symlink(Path("inner")));
  EXPECT_EQ(NumFiles(), 3u);
}

// What is put in the place of the link, of the file, or of its directory, while
// we write, changes nothing but itself.
TEST_F(FileTest, WhatIsReplacedMeanwhileIsNotFollowed) {
  std::filesystem::create_directory(Path("d"));
  std::filesystem::create_directory(Path("theirs"));
  ASSERT_TRUE(WriteFile(Path("victim"), "precious").has_value());
  ASSERT_TRUE(WriteFile(Path("theirs/file"), "precious").has_value());
  ASSERT_EQ(symlink("d/file", Path("a").c_str()), 0);
  Result<OutputFile> file = OutputFile::Create(Path("a"));
  ASSERT_TRUE(file.has_value()) << file.error().Text();
  ASSERT_TRUE(file->Write("mine").has_value());
  // The link, the name that it led to, and then the whole directory.
  ASSERT_EQ(unlink(Path("a").c_str()), 0);
  ASSERT_EQ(symlink("victim", Path("a").c_str()), 0);
  ASSERT_EQ(symlink(Path("victim").c_str(), Path("d/file").c_str()), 0);
  std::filesystem::rename(Path("d"), Path("moved"));
  ASSERT_EQ(symlink("theirs", Path("d").c_str()), 0);
  ASSERT_TRUE(file->Finish().has_value());
  EXPECT_EQ(ReadFile(Path("victim")).value(), "precious");
  EXPECT_EQ(ReadFile(Path("theirs/file")).value(), "precious");
  EXPECT_EQ(ReadFile(Path("moved/file")).value(), "mine");
  EXPECT_FALSE(std::filesystem::is_symlink(Path("moved/file")));
}

TEST_F(FileTest, ALinkThatLeadsToNothingYetIsFollowed) {
  ASSERT_EQ(symlink("new", Path("a").c_str()), 0);
  ASSERT_TRUE(WriteFile(Path("a"), "mine").has_value());
  EXPECT_TRUE(std::filesystem::is_symlink(Path("a")));
  EXPECT_EQ(ReadFile(Path("new")).value(), "mine");
  ASSERT_EQ(symlink("no/file", Path("b").c_str()), 0);
  EXPECT_EQ(WriteFile(Path("b"), "mine").error().Text(),
            "cannot write " + Path("b") + " (a link to " + Path("no/file") +
                "): No such file or directory; check the path");
  ASSERT_EQ(symlink("c", Path("c").c_str()), 0);
  EXPECT_EQ(
      WriteFile(Path("c"), "mine").error().sentence(),
      "cannot write " + Path("c") + ": Too many levels of symbolic links");
}

// As the kernel does it (protected_symlinks), which may have it switched off.
TEST_F(FileTest, LinksOfOthersInSharedDirectoriesAreNotFollowed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make links of others";
  ASSERT_TRUE(WriteFile(Path("victim"), "precious").has_value());
  std::filesystem::create_directory(Path("tmp"));
  ASSERT_EQ(chmod(Path("tmp").c_str(), 01777), 0);
  ASSERT_EQ(symlink(Path("victim").c_str(), Path("tmp/a").c_str()), 0);
  ASSERT_EQ(lchown(Path("tmp/a").c_str(), 12345, 12345), 0);
  EXPECT_EQ(WriteFile(Path("tmp/a"), "mine").error().Text(),
            "cannot write " + Path("tmp/a") + ": " + Path("tmp/a") +
                " is somebody else's link, in a directory that all may write; "
                "name a file in a directory of yours");
  EXPECT_EQ(ReadFile(Path("victim")).value(), "precious");
  ASSERT_EQ(lchown(Path("tmp/a").c_str(), geteuid(), 0), 0);
  EXPECT_TRUE(WriteFile(Path("tmp/a"), "mine").has_value());
  EXPECT_EQ(ReadFile(Path("victim")).value(), "mine");
}

// /dev/stdout is a link to such a name: what is printed there before and after
// is neither replaced nor overwritten.
TEST_F(FileTest, OwnDescriptorsAreWrittenWhereTheyStand) {
  const Fd fd(open(Path("out").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_EQ(write(fd.get(), "before ", 7), 7);
  for (const char* directory : {"/proc/self/fd", "/dev/fd"}) {
    const std::string name = fmt::format("{}/{}", directory, fd.get());
    ASSERT_TRUE(WriteFile(name, "here ").has_value());
  }
  const std::string name = fmt::format("/dev/fd/{}", fd.get());
  ASSERT_EQ(symlink(name.c_str(), Path("a").c_str()), 0);
  ASSERT_TRUE(WriteFile(Path("a"), "there ").has_value());
  ASSERT_EQ(write(fd.get(), "after", 5), 5);
  EXPECT_EQ(ReadFile(Path("out")).value(), "before here here there after");
  EXPECT_EQ(WriteFile("/dev/fd/1234567", "x").error().sentence(),
            "cannot write /dev/fd/1234567: Bad file descriptor");
}

TEST_F(FileTest, PermissionsStayAsTheyWere) {
  ASSERT_TRUE(WriteFile(Path("a"), "secret").has_value());
  ASSERT_EQ(chmod(Path("a").c_str(), 0640), 0);
  ASSERT_TRUE(WriteFile(Path("a"), "new").has_value());
  struct stat what;
  ASSERT_EQ(stat(Path("a").c_str(), &what), 0);
  EXPECT_EQ(what.st_mode & 0777, 0640u);
}

TEST_F(FileTest, LongNamesHaveDraftsAsWell) {
  const std::string name(255, 'n');
  ASSERT_TRUE(WriteFile(Path(name), "x").has_value());
  EXPECT_EQ(ReadFile(Path(name)).value(), "x");
}

TEST_F(FileTest, AnUnfinishedFileLeavesTheOldOneAlone) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").has_value());
  {
    Result<OutputFile> file = OutputFile::Create(Path("a"));
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->Write("new").has_value());
  }
  EXPECT_EQ(ReadFile(Path("a")).value(), "old");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileTest, FinishReplacesTheOldFile) {
  ASSERT_TRUE(WriteFile(Path("a"), "old").has_value());
  ASSERT_TRUE(WriteFile(Path("a"), "new").has_value());
  EXPECT_EQ(ReadFile(Path("a")).value(), "new");
  EXPECT_EQ(NumFiles(), 1u);
}

TEST_F(FileTest, KeepsNothingIfTheNameCannotBeTaken) {
  std::filesystem::create_directory(Path("d"));
  std::filesystem::create_directory(Path("d/x"));
  Result<OutputFile> file = OutputFile::Create(Path("d"));
  EXPECT_FALSE(file.has_value());  // a directory is written in place: refused
  EXPECT_EQ(NumFiles(), 1u);
}

}  // namespace
}  // namespace fairlead
