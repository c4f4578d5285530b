// report/doctor.h
//
// What `fairlead doctor` finds: what the machine allows, and how far a program
// repeats itself. Text in three parts, each shown as soon as it is known, and
// JSON of all.

#ifndef FAIRLEAD_REPORT_DOCTOR_H_
#define FAIRLEAD_REPORT_DOCTOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/exit_code.h"
#include "base/json.h"

namespace fairlead::report {

struct MachineAbility {
  std::string name = {};
  std::string need = {};  // "fact", "useful", "vital"
  bool there = false;
  std::string found = {};
  std::string remedy = {};
};

// Of a program that was executed several times with each of a few seeds.
struct Repeatability {
  std::string path = {};
  bool instrumented = false;
  uint64_t sites = 0;
  std::vector<std::string> sanitizers = {};
  std::string carrier = {};
  uint64_t executions = 0;
  uint64_t cut = 0;
  bool stopped = false;  // by the user
  uint64_t threads = 0;
  uint64_t events = 0;
  std::optional<double> score = {};  // none: nothing was compared
  uint64_t compared = 0;
  uint64_t equal = 0;
  uint64_t seeds = 0;
  uint64_t difference_seed = 0;
  std::vector<std::string> difference = {};
  struct Uncontrolled {
    std::string what = {};
    uint64_t number = 0;
    std::string remedy = {};
  };
  std::vector<Uncontrolled> uncontrolled = {};
  struct Failure {
    std::string outcome = {};
    std::string message = {};
  };
  std::vector<Failure> failures = {};
};

std::string MachineText(const std::vector<MachineAbility>& machine);
// What is known of the program before it has been executed.
std::string ProgramText(const Repeatability& program);
// What its executions showed; "" if there were none.
std::string RepeatabilityText(const Repeatability& program);
// `program` may be null: none was looked at.
Json DoctorJson(const std::vector<MachineAbility>& machine,
                const Repeatability* program, ExitCode exit);

}  // namespace fairlead::report

#endif  // FAIRLEAD_REPORT_DOCTOR_H_
