// Catch2's single header, its runner included.

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <string>
#include <vector>

TEST_CASE("vectors grow", "[vector]") {
  std::vector<std::string> words = {"a", "b"};
  REQUIRE(words.size() == 2);
  SECTION("at the end") {
    words.push_back("c");
    CHECK(words.back() == "c");
    CHECK_THAT(words, Catch::VectorContains(std::string("a")));
  }
  SECTION("in front") {
    words.insert(words.begin(), "c");
    CHECK(words.front() == "c");
  }
}

TEST_CASE("numbers are close", "[number]") {
  const auto i = GENERATE(1, 2, 3);
  CHECK(0.1 * i == Approx(0.1 * i));
  CHECK_THROWS_AS(std::string().at(1), std::out_of_range);
}
