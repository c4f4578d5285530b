// lin/history_file.h
//
// Histories as files have them: events of processes, in the order of time. Read
// are the forms of Jepsen: EDN maps and JSON objects, one after the other or in
// one vector, and lines of its log. Untrusted.

#ifndef FAIRLEAD_LIN_HISTORY_FILE_H_
#define FAIRLEAD_LIN_HISTORY_FILE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace fairlead::lin {

enum class EventType : uint8_t { kInvoke, kOk, kFail, kInfo };

struct Event {
  std::string process = {};  // its number or name, without a colon
  EventType type = EventType::kInvoke;
  std::string call = {};  // the word, without a colon
  Json value = {};        // null if there is none
  std::optional<Json> key = {};
  bool has_error = false;  // it says why it failed
  size_t line = 0;
};

struct EventFile {
  std::vector<Event> events;  // of clients only: not of the nemesis
  bool is_log = false;        // lines of a log
};

// What a file says; its form is found by how it begins.
Result<EventFile> ParseEventsUntrusted(std::string_view text);

}  // namespace fairlead::lin

#endif  // FAIRLEAD_LIN_HISTORY_FILE_H_
