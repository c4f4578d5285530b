// What a program may have done to its directory, and what it finds the next
// time.

#include "explore/run/fresh_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace fairlead::explore {
namespace {

namespace fs = std::filesystem;

void Write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

ino_t InodeOf(const fs::path& path) {
  struct stat file = {};
  EXPECT_EQ(lstat(path.c_str(), &file), 0) << path;
  return file.st_ino;
}

// Everything in a directory, as text by path: what it is, its mode, and what is
// in it.
std::map<std::string, std::string> Listing(const fs::path& directory) {
  std::map<std::string, std::string> listing;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(directory)) {
    struct stat file = {};
    lstat(entry.path().c_str(), &file);
    std::string text = std::to_string(file.st_mode) + " ";
    if (S_ISLNK(file.st_mode)) text += fs::read_symlink(entry.path()).string();
    if (S_ISREG(file.st_mode)) {
      std::ifstream in(entry.path());
      text.append(std::istreambuf_iterator<char>(in), {});
      text += " " + std::to_string(file.st_mtim.tv_nsec);
    }
    listing[entry.path().lexically_relative(directory)] = text;
  }
  return listing;
}

class FreshDirectoryTest : public testing::Test {
 protected:
  FreshDirectoryTest() {
    std::string root = testing::TempDir() + "/fresh.XXXXXX";
    EXPECT_NE(mkdtemp(root.data()), nullptr);
    root_ = root;
    source_ = root_ / "source";
    fs::create_directories(source_ / "deep" / "deeper");
    fs::create_directories(root_ / "scratch");
    Write(source_ / "file", "one");
    Write(source_ / "deep" / "deeper" / "file", "two");
    fs::create_symlink("deep/deeper/file", source_ / "link");
    fs::permissions(source_ / "file", fs::perms::owner_read);
  }
  ~FreshDirectoryTest() override { fs::remove_all(root_); }

  Result<FreshDirectory> Make(const std::string& without = "") {
    return FreshDirectory::Create(source_, root_ / "scratch", without);
  }

  fs::path root_;
  fs::path source_;
};

TEST_F(FreshDirectoryTest, IsTheSameAfterWhateverWasDoneToIt) {
  Result<FreshDirectory> fresh = Make();
  ASSERT_TRUE(fresh);
  const fs::path copy = fresh->path();
  const ino_t itself = InodeOf(copy);
  const auto wanted = Listing(source_);
  ASSERT_TRUE(fresh->Renew());
  EXPECT_EQ(Listing(copy), wanted);
  Write(root_ / "outside", "not ours");
  const std::vector<void (*)(const fs::path&)> deeds = {
      [](const fs::path&) {},
      [](const fs::path& at) { Write(at / "deep" / "deeper" / "file", "2!"); },
      [](const fs::path& at) { fs::remove_all(at / "deep"); },
      [](const fs::path& at) { Write(at / "deep" / "more", "more"); },
      [](const fs::path& at) {
        fs::remove(at / "file");
        fs::create_directories(at / "file" / "is" / "none");
      },
      [](const fs::path& at) {
        // Nothing must be written through it.
        fs::remove_all(at / "deep");
        fs::create_directory_symlink(at / ".." / "..", at / "deep");
      },
      [](const fs::path& at) {
        fs::remove(at / "link");
        fs::create_symlink("file", at / "link");
      },
      [](const fs::path& at) { fs::permissions(at / "deep", fs::perms::none); },
      [](const fs::path& at) { fs::rename(at / "file", at / "renamed"); },
  };
  for (size_t i = 0; i < deeds.size(); ++i) {
    SCOPED_TRACE(i);
    deeds[i](copy);
    ASSERT_TRUE(fresh->Renew());
    EXPECT_EQ(Listing(copy), wanted);
    EXPECT_EQ(InodeOf(copy), itself);
  }
  EXPECT_EQ(Listing(source_), wanted);
  EXPECT_FALSE(fs::exists(root_ / "deeper"));
}

TEST_F(FreshDirectoryTest, FollowsItsSource) {
  Result<FreshDirectory> fresh = Make();
  ASSERT_TRUE(fresh);
  ASSERT_TRUE(fresh->Renew());
  Write(source_ / "new", "new");
  fs::remove(source_ / "link");
  ASSERT_TRUE(fresh->Renew());
  EXPECT_EQ(Listing(fresh->path()), Listing(source_));
}

TEST_F(FreshDirectoryTest, CopiesLargeFilesOnceUntilTheyChange) {
  Write(source_ / "large", std::string(2 << 20, 'x'));
  Result<FreshDirectory> fresh = Make();
  ASSERT_TRUE(fresh);
  ASSERT_TRUE(fresh->Renew());
  const fs::path large = fs::path(fresh->path()) / "large";
  const ino_t first = InodeOf(large);
  ASSERT_TRUE(fresh->Renew());
  EXPECT_EQ(InodeOf(large), first);
  // Even if its time is put back.
  struct stat before = {};
  lstat(large.c_str(), &before);
  std::fstream(large, std::ios::in | std::ios::out) << 'y';
  const timespec times[] = {before.st_atim, before.st_mtim};
  utimensat(AT_FDCWD, large.c_str(), times, 0);
  ASSERT_TRUE(fresh->Renew());
  EXPECT_EQ(Listing(fresh->path()), Listing(source_));
}

TEST_F(FreshDirectoryTest, LeavesOutWhatItIsTold) {
  fs::create_directories(source_ / ".fairlead" / "fresh-dirs");
  Write(source_ / ".fairlead" / "store.db", "store");
  Result<FreshDirectory> fresh = FreshDirectory::Create(
      source_, source_ / ".fairlead" / "fresh-dirs", source_ / ".fairlead");
  ASSERT_TRUE(fresh);
  ASSERT_TRUE(fresh->Renew());
  EXPECT_FALSE(Listing(fresh->path()).contains(".fairlead"));
  EXPECT_TRUE(Listing(fresh->path()).contains("file"));
}

TEST_F(FreshDirectoryTest, GoesWithAllThatIsInIt) {
  {
    Result<FreshDirectory> fresh = Make();
    ASSERT_TRUE(fresh);
    ASSERT_TRUE(fresh->Renew());
    fs::permissions(fs::path(fresh->path()) / "deep", fs::perms::none);
  }
  EXPECT_TRUE(fs::is_empty(root_ / "scratch"));
}

}  // namespace
}  // namespace fairlead::explore
