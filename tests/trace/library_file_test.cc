#include "trace/library_file.h"

#include <gtest/gtest.h>

namespace fairlead::trace {
namespace {

TEST(LibraryFile, IsOneThatCameWithTheSystem) {
  for (const char* path :
       {"/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/thread",
        "/opt/gcc/include/c++/13/mutex", "./nptl/pthread_create.c",
        "../sysdeps/x86_64/multiarch/strlen-evex.S",
        "/usr/local/include/fmt/core.h",
        "/home/a/fairlead/include/fairlead/explore.hpp"}) {
    EXPECT_TRUE(IsLibraryFile(path)) << path;
  }
  for (const char* path : {"main.cc", "/home/usr/include/a.h", "src/thread.cc",
                           "/src/nptl/a.c", "explore.cc", ""}) {
    EXPECT_FALSE(IsLibraryFile(path)) << path;
  }
}

TEST(WithoutClone, LeavesTheNameInTheSource) {
  constexpr const char* kCases[][2] = {
      {"Pop", "Pop"},
      {"_ZN5Queue3PopEv.active", "_ZN5Queue3PopEv"},
      {"_ZN5Queue3PopEv.active.4fcc9675955e393c", "_ZN5Queue3PopEv"},
      {"Pop.idle.12", "Pop"},
      {"Pop.cold", "Pop"},
      {"main.omp_outlined", "main"},
      {"Queue::Pop(int) (.active.4fcc)", "Queue::Pop(int)"},
      {"Queue::Pop[abi:cxx11]() [clone .active] [clone .dda4fc59a80d026b]",
       "Queue::Pop[abi:cxx11]()"},
      {"(anonymous namespace)::Pop(double)",
       "(anonymous namespace)::Pop(double)"},
      {".omp_outlined", ".omp_outlined"},
      {"", ""},
  };
  for (const auto& [name, wanted] : kCases) {
    EXPECT_EQ(WithoutClone(name), wanted);
  }
}

}  // namespace
}  // namespace fairlead::trace
