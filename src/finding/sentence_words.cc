#include "finding/sentence_words.h"

#include <fmt/core.h>

#include "trace/access.h"

namespace fairlead::finding {

using trace::Event;
using trace::EventKind;

std::string SentenceWords::Thread(trace::Tid tid) const {
  const std::string path = names_.ThreadText(tid);
  const auto named = names_.threads.find(tid);
  if (named == names_.threads.end() || named->second.name.empty() ||
      !told_.insert(tid).second) {
    return path;
  }
  return fmt::format("{} ({})", path, named->second.name);
}

std::string SentenceWords::Object(uint64_t address) const {
  return names_.ObjectText(address);
}

std::string SentenceWords::Pointee(uint64_t address) const {
  return names_.PointeeText(address);
}

std::string SentenceWords::At(const trace::Place& place) {
  if (place.file.empty() || place.line == 0) return "";
  return fmt::format(" at {}:{}", place.file.substr(place.file.rfind('/') + 1),
                     place.line);
}

std::string SentenceWords::At(const Event& event) const {
  const trace::Place* place = whole_.names.ShownPlaceOf(event);
  return place == nullptr ? "" : At(*place);
}

std::string SentenceWords::Verb(const Event& event) const {
  switch (event.kind) {
    case EventKind::kFree:
      return "frees";
    case EventKind::kDestroy:
      return "destroys";
    case EventKind::kRmw:
    case EventKind::kCas:
      return trace::Writes(event) ? "changes" : "reads";
    default:
      break;
  }
  if (!trace::IsAccess(event)) return "uses";
  if (!trace::Writes(event)) return "reads";
  return event.has(abi::kFlagLibrary) ? "changes" : "writes";
}

std::string SentenceWords::Locks(const std::vector<uint64_t>& locks) const {
  std::string text;
  for (const uint64_t lock : locks) {
    if (!text.empty()) text += " and ";
    text += Object(lock);
  }
  return text;
}

}  // namespace fairlead::finding
