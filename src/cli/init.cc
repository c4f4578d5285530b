#include "cli/init.h"

#include <stdio.h>
#include <unistd.h>

#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/print.h"

namespace fairlead::cli {
namespace {

struct InitOptions {
  std::string directory = ".";
  bool json = false;
};

struct Project {
  std::string kind = {};
  std::string build = {};
  std::string test = {};
};

constexpr std::string_view kCompilers = "CC=fairlead-cc CXX=fairlead-c++";

// A kind of project, the file that says so, and what to do with it. The first
// that is there: what makes a Makefile comes before the Makefile.
struct Known {
  std::string_view kind;
  std::string_view file;
  std::string_view build;
  std::string_view test;
};
constexpr std::string_view kOneProgram =
    "fairlead test -- PROGRAM   # what was built, with its arguments";
constexpr Known kKnown[] = {
    {"CMake", "CMakeLists.txt",
     "{} cmake -B build-fairlead && cmake --build build-fairlead", kOneProgram},
    {"Meson", "meson.build",
     "{} meson setup build-fairlead && ninja -C build-fairlead", kOneProgram},
    {"autoconf", "configure", "{} ./configure && make clean && make",
     kOneProgram},
    {"autoconf", "configure.ac",
     "autoreconf -i && {} ./configure && make clean && make", kOneProgram},
    {"Make", "Makefile", "make clean && make CC=fairlead-cc CXX=fairlead-c++",
     kOneProgram},
    {"Make", "makefile", "make clean && make CC=fairlead-cc CXX=fairlead-c++",
     kOneProgram},
};

bool HasTests(const std::string& file) {
  const Result<std::string> text = ReadFile(file, kMaxTextBytes);
  return text &&
         (text->contains("enable_testing") || text->contains("include(CTest)"));
}

Result<Project> Look(const std::string& directory) {
  for (const Known& known : kKnown) {
    const std::string file = fmt::format("{}/{}", directory, known.file);
    if (access(file.c_str(), R_OK) != 0) continue;
    Project project = {.kind = std::string(known.kind),
                       .build = std::string(known.build),
                       .test = std::string(known.test)};
    if (const size_t at = project.build.find("{}"); at != std::string::npos) {
      project.build.replace(at, 2, kCompilers);
    }
    if (known.kind == "CMake" && HasTests(file)) {
      project.test = "fairlead test --ctest build-fairlead";
    }
    return project;
  }
  return Error(ErrorCode::kNotFound)
      .Say("{} has no CMakeLists.txt, meson.build, configure or Makefile",
           ShellQuote(directory))
      .Hint("build with fairlead-cc or fairlead-c++ in place of the compiler");
}

ExitCode Run(const InitOptions& options) {
  const Result<Project> project = Look(options.directory);
  if (!project) {
    return Tell(project.error(), options.json ? Form::kJson : Form::kText);
  }
  const std::string look = "fairlead report -o report.html";
  if (options.json) {
    PrintJson(stdout, {{"command", "init"},
                       {"project", project->kind},
                       {"commands", {project->build, project->test, look}}});
    return ExitCode::kNothingFound;
  }
  Print(stdout,
        fmt::format("# a {} project: build it, look for bugs, look at "
                    "what was found\n{}\n{}\n{}\n",
                    project->kind, project->build, project->test, look));
  return ExitCode::kNothingFound;
}

}  // namespace

void AddInit(CLI::App& app, Invocation& invocation) {
  CLI::App* init = app.add_subcommand(
      "init", "Print the commands that build and test a project");
  init->footer(
      "Examples:\n"
      "  fairlead init\n"
      "  fairlead init ../other-project\n"
      "\n"
      "Looks for CMake, Meson, autoconf and Make, and changes nothing.\n");
  auto options = std::make_shared<InitOptions>();
  init->add_option("directory", options->directory, "Of the project")
      ->capture_default_str();
  init->add_flag("--json", options->json, "The result as JSON");
  init->callback([options, &invocation] {
    invocation.action = [options] { return Run(*options); };
  });
}

}  // namespace fairlead::cli
