// A store as version 3 wrote it (version3.sql), for tests of what later
// versions make of it.

#ifndef FAIRLEAD_TESTS_STORE_OLD_STORE_H_
#define FAIRLEAD_TESTS_STORE_OLD_STORE_H_

#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"
#include "store/database.h"

namespace fairlead::store {

inline void MakeVersion3(const std::filesystem::path& path) {
  const Result<std::string> sql = ReadFile(FAIRLEAD_VERSION3);
  ASSERT_TRUE(sql);
  std::filesystem::create_directories(path.parent_path());
  auto database = Database::Open(path, Database::Mode::kCreate);
  ASSERT_TRUE(database);
  const Status made = database->Execute(*sql);
  ASSERT_TRUE(made) << made.error().Text();
}

}  // namespace fairlead::store

#endif  // FAIRLEAD_TESTS_STORE_OLD_STORE_H_
