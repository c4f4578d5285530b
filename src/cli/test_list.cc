#include "cli/test_list.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "base/json.h"
#include "base/printable.h"
#include "base/subprocess.h"
#include "base/text.h"

namespace fairlead::cli {
namespace {

// A framework lists its tests without running one.
constexpr std::chrono::seconds kPatience(20);
constexpr size_t kMostBytes = size_t{16} << 20;

struct Listing {
  std::string text;
  Ending ending;
  bool in_time = true;
};

// Reads until its end, its limit, or the deadline.
bool ReadUntil(int fd, std::chrono::steady_clock::time_point deadline,
               std::string& text) {
  char bytes[4096];
  while (text.size() < kMostBytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd ready = {.fd = fd, .events = POLLIN, .revents = 0};
    const int some = poll(&ready, 1, static_cast<int>(left.count()));
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return false;
    const ssize_t got = read(fd, bytes, sizeof(bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    text.append(bytes, static_cast<size_t>(got));
  }
  return false;
}

Result<Listing> Run(const std::vector<std::string>& argv) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return SystemError(errno, "no pipe");
  Fd from(ends[0]);
  Fd to(ends[1]);
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  Result<Process> process = Process::Start({.argv = argv,
                                            .environment = OwnEnvironment(),
                                            .group = ProcessGroup::kOwn,
                                            .standard_input = null.get(),
                                            .standard_output = to.get(),
                                            .standard_error = null.get(),
                                            .core_dumps = false});
  if (!process) return process.error();
  to.Close();
  Listing listing;
  listing.in_time = ReadUntil(
      from.get(), std::chrono::steady_clock::now() + kPatience, listing.text);
  if (!listing.in_time) process->Signal(SIGKILL);
  listing.ending = process->Wait();
  return listing;
}

Error NoTests(std::string_view program, std::string_view framework,
              std::string_view why) {
  return Error(ErrorCode::kUsage)
      .Say("{} is no binary of {}: {}", PrintableLine(program), framework, why)
      .Hint("leave the option out to explore the program as a whole");
}

std::vector<std::string> With(const std::vector<std::string>& argv,
                              std::string option) {
  std::vector<std::string> all = argv;
  all.push_back(std::move(option));
  return all;
}

// "Suite.", or "Suite.  # TypeParam = int"; "  Name", or "  Name  # …".
Result<std::vector<ListedTest>> GoogleTests(
    const std::vector<std::string>& argv) {
  const Result<Listing> listing = Run(With(argv, "--gtest_list_tests"));
  if (!listing) return listing.error();
  const auto no = [&](std::string_view why) {
    return NoTests(argv[0], "GoogleTest", why);
  };
  if (!listing->in_time) return no("--gtest_list_tests does not end");
  if (listing->ending.exit_code != 0) return no("--gtest_list_tests fails");
  std::vector<ListedTest> tests;
  std::string suite;
  for (const std::string_view line : Split(listing->text, '\n')) {
    const std::string_view word = Trim(line.substr(0, line.find("  #")));
    if (word.empty() || line.starts_with("Running main() from")) continue;
    const bool indented = line.starts_with("  ");
    if (!indented && word.ends_with('.') && !word.contains(' ')) {
      suite = word;
    } else if (indented && !suite.empty() && !word.contains(' ')) {
      const std::string name = suite + std::string(word);
      const bool disabled = name.starts_with("DISABLED_") ||
                            name.contains("/DISABLED_") ||
                            word.starts_with("DISABLED_");
      tests.push_back({.suite = suite.substr(0, suite.size() - 1),
                       .name = name,
                       .argv = With(argv, "--gtest_filter=" + name),
                       .disabled = disabled});
    } else if (suite.empty()) {
      return no("what it prints is no list of tests");
    }  // else set-up code has printed something
  }
  if (tests.empty()) return no("it has no tests");
  return tests;
}

// `special` as the framework wants it in a pattern.
std::string Quoted(std::string_view name, std::string_view special) {
  std::string text;
  for (const char c : name) {
    if (special.contains(c)) text += '\\';
    text += c;
  }
  return text;
}

// One name a line; version 2 has an option of its own for that, and gives the
// number of tests as exit code.
Result<std::vector<ListedTest>> Catch2Tests(
    const std::vector<std::string>& argv) {
  const auto no = [&](std::string_view why) {
    return NoTests(argv[0], "Catch2", why);
  };
  const Result<Listing> identity = Run(With(argv, "--libidentify"));
  if (!identity) return identity.error();
  if (!identity->in_time || !identity->text.contains("Catch2")) {
    return no("--libidentify does not say so");
  }
  const size_t version = identity->text.find("version:");
  const bool second = version != std::string::npos &&
                      Trim(identity->text.substr(version + 8)).starts_with('2');
  std::vector<std::string> list = argv;
  if (second) {
    list.emplace_back("--list-test-names-only");
  } else {
    list.insert(list.end(), {"--list-tests", "--verbosity", "quiet"});
  }
  const Result<Listing> listing = Run(list);
  if (!listing) return listing.error();
  if (!listing->in_time) return no("it does not end when asked for its tests");
  std::vector<ListedTest> tests;
  for (const std::string_view line : Split(listing->text, '\n')) {
    const std::string_view name = Trim(line);
    if (name.empty()) continue;
    tests.push_back({.name = std::string(name),
                     .argv = With(argv, Quoted(name, ",[]\\*\"~"))});
  }
  if (tests.empty()) return no("it has no tests");
  return tests;
}

// Names between two rules.
Result<std::vector<ListedTest>> DocTests(const std::vector<std::string>& argv) {
  const Result<Listing> listing = Run(With(argv, "--list-test-cases"));
  if (!listing) return listing.error();
  const auto no = [&](std::string_view why) {
    return NoTests(argv[0], "doctest", why);
  };
  if (!listing->in_time) return no("--list-test-cases does not end");
  if (!listing->text.contains("[doctest] listing all test case names")) {
    return no("what it prints is no list of tests");
  }
  std::vector<ListedTest> tests;
  bool between = false;
  for (const std::string_view line : Split(listing->text, '\n')) {
    if (line.starts_with("=====")) {
      between = !between;
    } else if (between && !Trim(line).empty()) {
      tests.push_back(
          {.name = std::string(Trim(line)),
           .argv = With(argv, "--test-case=" + Quoted(Trim(line), ",\\"))});
    }
  }
  if (tests.empty()) return no("it has no tests");
  return tests;
}

void AddProperty(const Json& property, ListedTest& test) {
  const auto name = property.find("name");
  const auto value = property.find("value");
  if (name == property.end() || value == property.end()) return;
  if (*name == "WORKING_DIRECTORY" && value->is_string()) {
    test.directory = *value;
  } else if (*name == "DISABLED") {
    test.disabled = *value == true;
  } else if (*name == "ENVIRONMENT" && value->is_array()) {
    for (const Json& each : *value) {
      if (each.is_string()) test.environment.push_back(each);
    }
  }
}

ListedTest CTestOf(const Json& json) {
  ListedTest test;
  const auto name = json.find("name");
  const auto command = json.find("command");
  if (name != json.end() && name->is_string()) test.name = *name;
  if (command != json.end() && command->is_array()) {
    for (const Json& word : *command) {
      if (word.is_string()) test.argv.push_back(word);
    }
  }
  const auto properties = json.find("properties");
  if (properties != json.end() && properties->is_array()) {
    for (const Json& each : *properties) {
      if (each.is_object()) AddProperty(each, test);
    }
  }
  return test;
}

Result<std::vector<ListedTest>> CTests(const std::string& directory) {
  const Result<Listing> listing =
      Run({"ctest", "--test-dir", directory, "--show-only=json-v1"});
  if (!listing) return listing.error();
  const auto no = [&](std::string_view why) {
    return Error(ErrorCode::kUsage)
        .Say("{}: {}", PrintableLine(directory), why)
        .Hint("name the build directory of a CMake project that was built");
  };
  if (!listing->in_time || listing->ending.exit_code != 0) {
    return no("ctest does not list its tests");
  }
  const Result<Json> json = ParseJson(listing->text);
  if (!json || !json->is_object() || !json->contains("tests")) {
    return no("ctest lists no tests");
  }
  std::vector<ListedTest> tests;
  for (const Json& each : (*json)["tests"]) {
    ListedTest test = each.is_object() ? CTestOf(each) : ListedTest();
    if (!test.name.empty() && !test.argv.empty()) {
      tests.push_back(std::move(test));
    }
  }
  if (tests.empty()) return no("it has no tests that were built");
  return tests;
}

}  // namespace

Result<std::vector<ListedTest>> ListTests(
    Framework framework, const std::vector<std::string>& argv) {
  switch (framework) {
    case Framework::kGoogleTest:
      return GoogleTests(argv);
    case Framework::kCatch2:
      return Catch2Tests(argv);
    case Framework::kDoctest:
      return DocTests(argv);
    case Framework::kCTest:
      return CTests(argv[0]);
  }
  return Error(ErrorCode::kUsage).Say("no such framework");
}

}  // namespace fairlead::cli
