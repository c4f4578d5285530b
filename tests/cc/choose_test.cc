// Tests of instrument/cc/choose.h: a table of command lines.
//
// `want` is the whole line that clang gets.  Words in capitals stand for what
// is always the same; see Expand.

#include "instrument/cc/choose.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fairlead::cc {
namespace {

std::vector<std::string> Words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// PASS(full), PASS(lines): the pass and its options.  INC: the public header.
// LLD: the linker for link-time optimisation.
std::vector<std::string> Expand(std::string_view want) {
  static const std::map<std::string, std::string> kMeaning = {
      {"PASS(full)",
       "-Xclang -load -Xclang /p/pass.so -Xclang -fpass-plugin=/p/pass.so "
       "-Xclang -mllvm -Xclang -fairlead-root=/src "
       "-Xclang -mllvm -Xclang -fairlead-debug=full"},
      {"PASS(lines)",
       "-Xclang -load -Xclang /p/pass.so -Xclang -fpass-plugin=/p/pass.so "
       "-Xclang -mllvm -Xclang -fairlead-root=/src "
       "-Xclang -mllvm -Xclang -fairlead-debug=lines"},
      {"INC",
       "--start-no-unused-arguments -idirafter /p/include "
       "-D__FAIRLEAD__=1 --end-no-unused-arguments"},
      {"LLD", "-fuse-ld=lld --ld-path=/llvm/ld.lld"},
  };
  std::vector<std::string> expanded;
  for (const std::string& word : Words(want)) {
    const auto meaning = kMeaning.find(word);
    if (meaning == kMeaning.end()) {
      expanded.push_back(word);
    } else {
      for (std::string& part : Words(meaning->second)) {
        expanded.push_back(std::move(part));
      }
    }
  }
  return expanded;
}

Invocation Given(DriverMode mode, std::string_view args) {
  Invocation given;
  given.mode = mode;
  given.args = Words(args);
  given.surroundings = {
      .clang = "/llvm/clang",
      .clang_name = "clang",
      .pass = "/p/pass.so",
      .pass_wanted = "/p/pass.so",
      .include = "/p/include",
      .root = "/src",
      .lld = "/llvm/ld.lld",
      .read_file = [](const std::string& file) -> std::optional<std::string> {
        if (file == "compile.rsp") return "-c a.c\n-O2 '-DX=a b'";
        if (file == "outer.rsp") return "@compile.rsp -g";
        if (file == "link.rsp") return "a.o b.o -flto";
        return std::nullopt;
      },
  };
  return given;
}

constexpr DriverMode kC = DriverMode::kC;
constexpr DriverMode kCxx = DriverMode::kCxx;

struct Case {
  std::string_view name;
  DriverMode mode;
  std::string_view given;
  std::string_view want;  // without argv[0]
};

constexpr Case kCases[] = {
    // What it does.
    {"compile", kC, "-c a.c", "PASS(lines) INC -c a.c -g"},
    {"compile C++", kCxx, "-c a.cc",
     "PASS(lines) -fstandalone-debug INC -c a.cc -g"},
    {"C compiler, C++ file", kC, "-c a.cpp",
     "PASS(lines) -fstandalone-debug INC -c a.cpp -g"},
    {"C++ compiler, C file", kCxx, "-c a.c",
     "PASS(lines) -fstandalone-debug INC -c a.c -g"},
    {"compile and link", kC, "a.c -o a -lm", "PASS(lines) INC a.c -o a -lm -g"},
    {"several files", kCxx, "a.cc b.c x.o libz.a",
     "PASS(lines) -fstandalone-debug INC a.cc b.c x.o libz.a -g"},
    {"assembly text", kC, "-S a.c", "PASS(lines) INC -S a.c -g"},
    {"bitcode", kC, "-c -emit-llvm a.c",
     "PASS(lines) INC -c -emit-llvm a.c -g"},
    {"compile bitcode", kC, "-c a.bc", "PASS(lines) -c a.bc -g"},
    {"link", kC, "a.o b.o -o a", "a.o b.o -o a"},
    {"link a library", kCxx, "-shared a.o -o liba.so",
     "-shared a.o -o liba.so"},
    {"link statically", kCxx, "-static a.o", "-static a.o"},
    {"static libstdc++", kCxx, "-static-libstdc++ a.o",
     "-static-libstdc++ a.o"},
    {"partial link", kC, "-r a.o b.o -o c.o", "-r a.o b.o -o c.o"},
    {"sanitizers", kC, "-fsanitize=address,undefined a.c",
     "PASS(lines) INC -fsanitize=address,undefined a.c -g"},
    {"no code: preprocess", kC, "-E a.c", "INC -E a.c"},
    {"no code: dependencies", kC, "-M a.c", "INC -M a.c"},
    {"no code: user dependencies", kC, "-MM a.c", "INC -MM a.c"},
    {"dependencies on the side", kC, "-MD -MF a.d -c a.c",
     "PASS(lines) INC -MD -MF a.d -c a.c -g"},
    {"no code: check", kC, "-fsyntax-only a.c", "INC -fsyntax-only a.c"},
    {"no code: analyse", kC, "--analyze a.c", "INC --analyze a.c"},
    {"-E wins over -c", kC, "-c -E a.c", "INC -c -E a.c"},
    {"-M wins over -c", kC, "-M -c a.c", "INC -M -c a.c"},
    {"precompile a header", kCxx, "a.hpp -o a.hpp.gch",
     "-fstandalone-debug INC a.hpp -o a.hpp.gch -g"},
    {"precompile, by -x", kC, "-x c-header a.h", "INC -x c-header a.h -g"},
    {"precompile a module", kCxx, "--precompile a.cppm",
     "-fstandalone-debug INC --precompile a.cppm -g"},
    {"compile a module", kCxx, "-c a.pcm",
     "PASS(lines) -fstandalone-debug INC -c a.pcm -g"},
    {"assemble", kC, "-c a.s", "-c a.s"},
    {"assemble with cpp", kC, "-c a.S", "INC -c a.S"},
    {"save temporaries", kC, "-save-temps -c a.c",
     "PASS(lines) INC -save-temps -c a.c -gdwarf-4"},
    {"save temporaries, lines", kC, "-save-temps -g1 -c a.c",
     "PASS(lines) INC -save-temps -g1 -c a.c -g"},

    // What an input is.
    {"standard input", kC, "-x c -c -", "PASS(lines) INC -x c -c - -g"},
    {"-x joined", kC, "-xc++ -c a.txt",
     "PASS(lines) -fstandalone-debug INC -xc++ -c a.txt -g"},
    {"-x in its long form", kC, "--language=c -c a.txt",
     "PASS(lines) INC --language=c -c a.txt -g"},
    {"-x none", kC, "-x c a -x none b.o",
     "PASS(lines) INC -x c a -x none b.o -g"},
    {"-x overrides clang++", kCxx, "-x c -c a.c",
     "PASS(lines) INC -x c -c a.c -g"},
    {"-x counts from where it is", kC, "a.o -x assembler b",
     "a.o -x assembler b"},
    {"the value of an option is no input", kC, "-o a.c -include b.c -MF c.c",
     "-o a.c -include b.c -MF c.c"},
    {"the value of an option is no option", kC, "-Xlinker -E -c a.c",
     "PASS(lines) INC -Xlinker -E -c a.c -g"},
    {"behind dashes", kC, "-c -- -a.c", "PASS(lines) INC -c -g -- -a.c"},
    {"a value is missing", kC, "-c a.c -o", "PASS(lines) INC -c a.c -g -o"},
    {"a file without ending", kC, "a", "a"},
    {"a library by version", kC, "libz.so.1.2", "libz.so.1.2"},
    {"a dot in the directory", kC, "a.c/b", "a.c/b"},

    // Response files.
    {"response file", kC, "@compile.rsp", "PASS(lines) INC @compile.rsp -g"},
    {"nested", kC, "@outer.rsp", "PASS(full) INC @outer.rsp"},
    {"missing", kC, "@nothing.rsp", "@nothing.rsp"},
    {"for the linker", kC, "@link.rsp -o a", "LLD @link.rsp -o a"},

    // Debug information.
    {"full", kC, "-g -c a.c", "PASS(full) INC -g -c a.c"},
    {"full C++", kCxx, "-g -c a.cc",
     "PASS(full) -fstandalone-debug INC -g -c a.cc"},
    {"the user limits types", kCxx, "-g -fno-standalone-debug -c a.cc",
     "PASS(full) -fstandalone-debug INC -g -fno-standalone-debug -c a.cc"},
    {"none, said so", kC, "-g0 -c a.c", "PASS(lines) INC -g0 -c a.c -g"},
    {"lines", kC, "-gline-tables-only -c a.c",
     "PASS(lines) INC -gline-tables-only -c a.c -g"},
    {"level 1", kC, "-g1 -c a.c", "PASS(lines) INC -g1 -c a.c -g"},
    {"last wins: less", kC, "-g -g0 -c a.c",
     "PASS(lines) INC -g -g0 -c a.c -g"},
    {"last wins: more", kC, "-g1 -ggdb -c a.c",
     "PASS(full) INC -g1 -ggdb -c a.c"},
    {"a version asks for all", kC, "-g1 -gdwarf-4 -c a.c",
     "PASS(full) INC -g1 -gdwarf-4 -c a.c"},
    {"compression asks for none", kC, "-gz -c a.c",
     "PASS(lines) INC -gz -c a.c -g"},
    {"columns ask for none", kC, "-gno-column-info -c a.c",
     "PASS(lines) INC -gno-column-info -c a.c -g"},
    {"split", kC, "-g -gsplit-dwarf -c a.c",
     "PASS(full) INC -g -gsplit-dwarf -c a.c"},
    {"split alone makes no file", kC, "-gsplit-dwarf -c a.c",
     "PASS(lines) INC -gsplit-dwarf -c a.c -g -gno-split-dwarf"},
    {"split lines", kC, "-g1 -gsplit-dwarf -c a.c",
     "PASS(lines) INC -g1 -gsplit-dwarf -c a.c -g"},

    // Linkers.
    {"LTO: compile", kC, "-flto -c a.c", "PASS(lines) INC -flto -c a.c -g"},
    {"LTO: link", kC, "-flto a.o", "LLD -flto a.o"},
    {"LTO: both", kC, "-flto=thin a.c",
     "PASS(lines) INC LLD -flto=thin a.c -g"},
    {"LTO: taken back", kC, "-flto -fno-lto a.o", "-flto -fno-lto a.o"},
    {"LTO: the user's linker", kC, "-flto -fuse-ld=gold a.o",
     "-flto -fuse-ld=gold a.o"},
    {"LTO: the user's path", kC, "-flto --ld-path=/x/ld.mold a.o",
     "-flto --ld-path=/x/ld.mold a.o"},
    {"LTO: no input", kC, "-flto --version", "-flto --version"},
    {"LTO: a choice taken back", kC, "-flto -fuse-ld=gold -fuse-ld= a.o",
     "LLD -flto -fuse-ld=gold -fuse-ld= a.o"},
    {"unneeded sections", kC, "-Wl,--gc-sections a.o", "-Wl,--gc-sections a.o"},

    // What is not for us.
    {"nothing", kC, "", ""},
    {"version", kC, "--version", "--version"},
    {"questions", kC, "-print-search-dirs -dumpmachine",
     "-print-search-dirs -dumpmachine"},
    {"verbose, no input", kC, "-v", "-v"},
    {"dry run", kC, "-### -c a.c", "PASS(lines) INC -### -c a.c -g"},
    {"the frontend", kC, "-cc1 -emit-obj a.c", "-cc1 -emit-obj a.c"},
    {"the assembler", kC, "-cc1as a.s", "-cc1as a.s"},
    {"cl", kC, "--driver-mode=cl a.c", "--driver-mode=cl a.c"},
    {"cpp", kC, "--driver-mode=cpp a.c", "INC --driver-mode=cpp a.c"},
    {"as C++", kC, "--driver-mode=g++ -c a.c",
     "PASS(lines) -fstandalone-debug INC --driver-mode=g++ -c a.c -g"},
    {"CUDA", kCxx, "-c a.cu", "-c a.cu"},
    {"OpenCL by -x", kC, "-x cl -c a", "-x cl -c a"},
    {"another machine", kC, "--target=aarch64-linux-gnu -c a.c",
     "--target=aarch64-linux-gnu -c a.c"},
    {"another machine, old spelling", kC, "-target bpf -c a.c",
     "-target bpf -c a.c"},
    {"another system", kC, "--target=x86_64-w64-mingw32 -c a.c",
     "--target=x86_64-w64-mingw32 -c a.c"},
    {"this machine by name", kC, "--target=x86_64-pc-linux-gnu -c a.c",
     "PASS(lines) INC --target=x86_64-pc-linux-gnu -c a.c -g"},
    {"32 bits", kC, "-m32 -c a.c", "-m32 -c a.c"},
    {"64 bits", kC, "-m32 -m64 -c a.c", "PASS(lines) INC -m32 -m64 -c a.c -g"},
    {"own includes only", kC, "-nostdinc -c a.c",
     "PASS(lines) -nostdinc -c a.c -g"},

    // Our own options.
    {"off", kC, "--fairlead-off -c a.c", "-c a.c"},
    {"off, anywhere", kC, "-c a.c --fairlead-off", "-c a.c"},
    {"not ours: a value", kC, "-Xlinker --fairlead-off a.o",
     "-Xlinker --fairlead-off a.o"},
    {"not ours: behind dashes", kC, "a.o -- --fairlead-off",
     "a.o -- --fairlead-off"},
};

TEST(ChooseArguments, GivesTheWantedLine) {
  for (const Case& it : kCases) {
    SCOPED_TRACE(it.name);
    const Result<Command> command = ChooseArguments(Given(it.mode, it.given));
    ASSERT_TRUE(command) << command.error().Text();
    EXPECT_EQ(command->program, "/llvm/clang");
    std::vector<std::string> want = Expand(it.want);
    want.insert(want.begin(), "clang");
    EXPECT_EQ(fmt::format("{}", fmt::join(command->args, " ")),
              fmt::format("{}", fmt::join(want, " ")));
  }
}

TEST(ChooseArguments, TheEnvironmentSwitchesOff) {
  Invocation given = Given(kC, "-c a.c");
  given.switched_off = true;
  EXPECT_EQ(ChooseArguments(given)->args,
            (std::vector<std::string>{"clang", "-c", "a.c"}));
}

TEST(ChooseArguments, WithoutLldLinkTimeOptimisationIsLeftToClang) {
  Invocation given = Given(kC, "-flto a.o");
  given.surroundings.lld.clear();
  EXPECT_EQ(ChooseArguments(given)->args,
            (std::vector<std::string>{"clang", "-flto", "a.o"}));
}

struct WishCase {
  std::string_view given;
  Wish want;
};

constexpr WishCase kWishes[] = {
    {"-c a.c", Wish::kRun},
    {"--fairlead-help", Wish::kHelp},
    {"--fairlead-version -c a.c", Wish::kVersion},
    {"-c a.c --fairlead-print-command", Wish::kPrintCommand},
};

TEST(ChooseArguments, OwnOptionsAreWishes) {
  for (const WishCase& it : kWishes) {
    SCOPED_TRACE(it.given);
    EXPECT_EQ(ChooseArguments(Given(kC, it.given))->wish, it.want);
  }
}

TEST(ChooseArguments, AnUnknownOwnOptionIsAUsageError) {
  const Result<Command> command =
      ChooseArguments(Given(kC, "--fairlead-of -c a.c"));
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::kUsage);
  EXPECT_EQ(command.error().Text(),
            "unknown option --fairlead-of; see --fairlead-help");
}

TEST(ChooseArguments, MemorySanitizerIsRefusedUnlessTurnedOff) {
  struct Case {
    const char* line;
    bool refused;
  };
  for (const Case& each : {
           Case{"-c a.c -fsanitize=memory", true},
           Case{"-c a.c -fsanitize=undefined,memory", true},
           Case{"-c a.c -fsanitize=memory -fno-sanitize=all", false},
           Case{"-c a.c -fsanitize=undefined", false},
           Case{"--fairlead-off -c a.c -fsanitize=memory", false},
           Case{"-E a.c -fsanitize=memory", false},
       }) {
    const Result<Command> command = ChooseArguments(Given(kC, each.line));
    EXPECT_EQ(!command, each.refused) << each.line;
  }
}

TEST(ChooseArguments, AMissingPassMattersOnlyToCode) {
  Invocation given = Given(kC, "-c a.c");
  given.surroundings.pass.clear();
  const Result<Command> command = ChooseArguments(given);
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::kEnvironment);
  EXPECT_TRUE(
      command.error().Text().starts_with("the pass /p/pass.so is missing; "))
      << command.error().Text();

  given.args = Words("a.o -o a");
  EXPECT_TRUE(ChooseArguments(given));
  given.args = Words("--fairlead-off -c a.c");
  EXPECT_TRUE(ChooseArguments(given));
}

TEST(ChooseArguments, AMissingClangIsOurError) {
  Invocation given = Given(kC, "--version");
  given.surroundings.clang.clear();
  const Result<Command> command = ChooseArguments(given);
  ASSERT_FALSE(command);
  EXPECT_EQ(command.error().code(), ErrorCode::kEnvironment);
}

}  // namespace
}  // namespace fairlead::cc
