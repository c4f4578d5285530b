// lin/histories.h
//
// From events to histories that a model can be asked about: invocations and
// completions paired, one history for each object (key, element of a set).

#ifndef FAIRLEAD_LIN_HISTORIES_H_
#define FAIRLEAD_LIN_HISTORIES_H_

#include <string>
#include <vector>

#include "lin/history_file.h"
#include "lin/model.h"

namespace fairlead::lin {

// What a compare-and-set that failed means. Jepsen calls failed what did not
// happen, for whatever reason; in many histories it is the answer "it was not
// what you expected".
enum class FailedCas : uint8_t {
  kByForm,  // answers in logs, which have no reasons; else nothing happened
  kAnswer,
  kNothing,
};

struct HistoryOptions {
  FailedCas failed_cas = FailedCas::kByForm;
};

// What people are told of an operation.
struct Origin {
  std::string process = {};
  std::string call = {};
  size_t begin_line = 0;
  size_t end_line = 0;  // 0 = it was never answered
};

struct ObjectHistory {
  std::string key;  // "" = there is one object only
  History operations;
};

struct Histories {
  std::vector<ObjectHistory> objects;
  std::vector<Origin> origins;  // by Operation::number
  size_t num_pending = 0;
};

Result<Histories> MakeHistories(const EventFile& file, const ModelKind& kind,
                                const HistoryOptions& options,
                                ValueTable& values);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_HISTORIES_H_
