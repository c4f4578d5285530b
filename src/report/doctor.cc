#include "report/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"

namespace fairlead::report {
namespace {

Json MachineJson(const std::vector<MachineAbility>& machine) {
  Json list = Json::array();
  for (const MachineAbility& ability : machine) {
    Json json = {{"name", ability.name},
                 {"need", ability.need},
                 {"there", ability.there},
                 {"found", ability.found}};
    if (!ability.there) json["remedy"] = ability.remedy;
    list.push_back(std::move(json));
  }
  return list;
}

Json ProgramJson(const Repeatability& program) {
  Json uncontrolled = Json::array();
  for (const Repeatability::Uncontrolled& source : program.uncontrolled) {
    uncontrolled.push_back({{"what", source.what},
                            {"number", source.number},
                            {"remedy", source.remedy}});
  }
  Json failures = Json::array();
  for (const auto& [outcome, message] : program.failures) {
    // "verdict" is the name of the outcome in earlier versions.
    failures.push_back(
        {{"outcome", outcome}, {"verdict", outcome}, {"message", message}});
  }
  return {{"path", program.path},
          {"instrumented", program.instrumented},
          {"sites", program.sites},
          {"sanitizers", program.sanitizers},
          {"carrier", program.carrier},
          {"executions", program.executions},
          {"cut", program.cut},
          {"stopped", program.stopped},
          {"threads", program.threads},
          {"events", program.events},
          {"score", program.score ? Json(*program.score) : Json(nullptr)},
          {"compared", program.compared},
          {"equal", program.equal},
          {"difference", program.difference},
          {"uncontrolled", uncontrolled},
          {"failures", failures}};
}

std::string DifferenceText(const Repeatability& program) {
  if (program.difference.empty()) return "";
  std::string text =
      fmt::format("  differs with --seed {}:\n", program.difference_seed);
  for (const std::string& line : program.difference) {
    text += fmt::format("      {}\n", line);
  }
  if (program.uncontrolled.empty()) {
    text +=
        "      remedy: give the program the same files, environment and input "
        "each time; memory that is not initialised, or a library that counts "
        "real time, differs as well\n";
  }
  return text;
}

}  // namespace

std::string MachineText(const std::vector<MachineAbility>& machine) {
  std::string text = "machine\n";
  for (const MachineAbility& ability : machine) {
    text += fmt::format("  {:<3} {}: {}\n", ability.there ? "ok" : "no",
                        ability.name, ability.found);
    if (!ability.there)
      text += fmt::format("      remedy: {}\n", ability.remedy);
  }
  return text;
}

std::string ProgramText(const Repeatability& program) {
  std::string text = fmt::format("program\n  path: {}\n", program.path);
  text += program.instrumented
              ? fmt::format("  instrumented: yes, {}\n",
                            Counted(program.sites, "site"))
              : "  instrumented: no; built with CC=fairlead-cc "
                "CXX=fairlead-c++, its memory accesses are controlled, too\n";
  text +=
      fmt::format("  sanitizers: {}\n",
                  program.sanitizers.empty()
                      ? "none"
                      : fmt::format("{}", fmt::join(program.sanitizers, ", ")));
  return text;
}

std::string RepeatabilityText(const Repeatability& program) {
  if (program.executions == 0) return "";
  std::string text =
      fmt::format("executions\n  carrier: {}\n  threads: {}\n  events: {}\n",
                  program.carrier, program.threads, program.events);
  for (const auto& [outcome, message] : program.failures) {
    text += fmt::format("  verdict: {}: {}\n", outcome, message);
  }
  for (const Repeatability::Uncontrolled& source : program.uncontrolled) {
    text += fmt::format("  not controlled: {} ({})\n      remedy: {}\n",
                        source.what, source.number, source.remedy);
  }
  text += DifferenceText(program);
  if (!program.score) return text;
  return text +
         fmt::format("  determinism score: {:.2f} ({} of {} equal, {})\n",
                     *program.score, program.equal,
                     Counted(program.compared, "repetition"),
                     Counted(program.seeds, "seed"));
}

Json DoctorJson(const std::vector<MachineAbility>& machine,
                const Repeatability* program, ExitCode exit) {
  Json json = {{"command", "doctor"}, {"machine", MachineJson(machine)}};
  if (program != nullptr) json["program"] = ProgramJson(*program);
  json["exit_code"] = static_cast<int>(exit);
  return json;
}

}  // namespace fairlead::report
