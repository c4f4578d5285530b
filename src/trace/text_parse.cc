#include <charconv>

#include "base/check.h"
#include "base/text.h"
#include "trace/kinds.h"
#include "trace/line_parser.h"
#include "trace/names_text.h"
#include "trace/text.h"

namespace fairlead::trace {
namespace {

// Objects without an address of their own: apart enough that offsets from one
// do not reach the next, and low enough that none is an address of a process.
constexpr uint64_t kFirstObject = 0x1000;
constexpr uint64_t kObjectStride = 0x1000;

class TraceParser {
 public:
  Status Line(std::string_view text, size_t number) {
    LineParser line(text, number);
    if (line.AtEnd()) return {};
    const std::string_view first = line.Peek();
    if (first.ends_with(':')) return EventLine(line);
    if (first == "expect") return Expect(line, number);
    if (first == "spec") return Spec(line);
    if (IsNameWord(first)) return ParseNameUntrusted(line, trace_.names);
    line.Take();
    return line.Wrong("no line of a trace begins with '{}'", first);
  }

  Trace Finish() { return std::move(trace_); }

 private:
  static std::string Rest(LineParser& line) {
    std::string text;
    while (!line.AtEnd()) {
      if (!text.empty()) text += ' ';
      text += line.Take();
    }
    return text;
  }

  Status Expect(LineParser& line, size_t number) {
    line.Take();
    const Result<std::string_view> analysis = line.Word("an analysis");
    if (!analysis) return analysis.error();
    const Result<std::string_view> claim = line.Word("a claim");
    if (!claim) return claim.error();
    const std::string rest = Rest(line);
    trace_.expectations.push_back(
        {std::string(*analysis),
         std::string(*claim) + (rest.empty() ? "" : " ") + rest, number});
    return {};
  }

  Status Spec(LineParser& line) {
    line.Take();
    trace_.specs.push_back(Rest(line));
    return {};
  }

  Status EventLine(LineParser& line) {
    Event event;
    const std::string_view thread = line.Take();
    const std::optional<Tid> tid =
        ThreadOf(thread.substr(0, thread.size() - 1));
    if (!tid) return line.Wrong("no name of a thread: '{}'", thread);
    event.tid = *tid;
    const Result<std::string_view> word = line.Word("what the thread does");
    if (!word) return word.error();
    const KindEntry* kind = FindKind(*word);
    if (kind == nullptr || kind->group == EventGroup::kExtension) {
      return line.Wrong("no kind of event: '{}'", *word);
    }
    event.kind = kind->kind;
    event.seq = next_seq_;
    if (kind->group == EventGroup::kAccess && event.kind != EventKind::kFence) {
      event.size = kDefaultAccessBytes;
    }
    if (Status status = Operands(line, event); !status) return status;
    if (!trace_.events.empty() && event.seq <= trace_.events.back().seq) {
      return line.Wrong("seq={} does not ascend", event.seq);
    }
    for (const std::string& label : labels_) {
      if (!trace_.labels.emplace(label, event.seq).second) {
        return line.Wrong("a second label #{}", label);
      }
    }
    next_seq_ = event.seq + 1;
    trace_.events.push_back(std::move(event));
    return {};
  }

  Status Operands(LineParser& line, Event& event) {
    labels_.clear();
    place_.reset();
    bool first = true;
    while (!line.AtEnd()) {
      const std::string_view word = line.Take();
      if (first && TakeOperand(word, event)) {
        first = false;
        continue;
      }
      first = false;
      if (!TakeFlag(word, event) && !TakeMark(word) && !TakeKey(word, event)) {
        return line.Wrong("'{}' means nothing here", word);
      }
    }
    if (place_) GivePlace(event);
    return {};
  }

  bool TakeOperand(std::string_view word, Event& event) {
    if (!IsObjectWord(word)) return false;
    if (!NamesAThread(event.kind)) return Object(word, event.address);
    const std::optional<Tid> other = ThreadOf(word);
    if (other) event.value = abi::Index(*other);
    return other.has_value();
  }

  static bool TakeFlag(std::string_view word, Event& event) {
    if (const auto order = FindOrder(word)) {
      event.flags |= static_cast<uint16_t>(*order);
      return true;
    }
    for (const FlagEntry& entry : FlagWords()) {
      if (entry.word != word) continue;
      event.flags |= entry.flag;
      return true;
    }
    return false;
  }

  bool TakeMark(std::string_view word) {
    if (word.starts_with('#')) {
      std::optional<std::string> label = Unescape(word.substr(1));
      if (label) labels_.push_back(*std::move(label));
      return label.has_value();
    }
    if (!word.starts_with('@')) return false;
    place_ = ParsePlaceUntrusted(word.substr(1));
    return place_.has_value();
  }

  bool TakeKey(std::string_view word, Event& event) {
    const size_t equals = word.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (key == "object") return Object(value, event.address);
    if (key == "partner") return TakePartner(value, event);
    if (key == "block") return TakeBlock(value, event);
    if (key == "payload") {
      std::optional<std::string> bytes = Unescape(value);
      if (bytes) event.payload = *std::move(bytes);
      return bytes.has_value();
    }
    const std::optional<uint64_t> number = ParseNumber(value);
    return number && TakeNumber(key, *number, event);
  }

  static bool TakeNumber(std::string_view key, uint64_t number, Event& event) {
    const bool short_enough = number >> 32 == 0;
    const auto index = static_cast<uint32_t>(number);
    if (key == "value" || key == "cause") {
      event.value = number;
    } else if (key == "size") {
      event.size = number;
    } else if (key == "old") {
      event.old_value = number;
    } else if (key == "this") {
      event.this_object = number;
    } else if (key == "seq") {
      event.seq = number;
    } else if (key == "instructions") {
      event.instructions = number;
    } else if (key == "node" && short_enough) {
      event.node = index;
    } else if (key == "caller" && short_enough) {
      event.site = index;
    } else if (key == "site" && short_enough) {
      event.site = index;
      event.flags |= abi::kFlagInstrumented;
    } else {
      return false;
    }
    return true;
  }

  bool TakePartner(std::string_view text, Event& event) {
    const std::vector<std::string_view> parts = Split(text, ',');
    const std::optional<Tid> tid = ThreadOf(parts[0]);
    if (!tid || parts.size() > 2) return false;
    event.partner = Partner{*tid, 0};
    return parts.size() == 1 || Object(parts[1], event.partner->object);
  }

  static bool TakeBlock(std::string_view text, Event& event) {
    const std::vector<std::string_view> parts = Split(text, ',');
    const std::vector<std::string_view> numbers = Split(parts[0], '+');
    if (numbers.size() != 2 || parts.size() > 3) return false;
    const auto number = ParseNumber(numbers[0]);
    const auto offset = ParseNumber(numbers[1]);
    const auto block_class =
        parts.size() > 1 ? FindBlockClass(parts[1]) : abi::BlockClass::kHeap;
    if (!number || !offset || !block_class) return false;
    if (parts.size() == 3 && parts[2] != "zeroed") return false;
    event.block = Block{*number, *offset, *block_class, parts.size() == 3};
    return true;
  }

  // The thread of this name; a new one if there is none yet.
  std::optional<Tid> ThreadOf(std::string_view word) {
    std::optional<std::string> name = Unescape(word);
    if (!name || name->empty()) return {};
    if (const auto known = trace_.names.FindThread(*name)) return known;
    uint16_t next = 0;
    if (*name != "main") {
      next = 1;
      while (trace_.names.threads.contains(Tid{next})) ++next;
      if (next >= abi::kMaxThreads) return {};
    }
    trace_.names.threads[Tid{next}] = {.path = *name, .name = ""};
    return Tid{next};
  }

  // The address of an object: "0x10", "x", "x+4".
  bool Object(std::string_view word, uint64_t& address) {
    if (const auto number = ParseNumber(word)) {
      address = *number;
      return true;
    }
    uint64_t offset = 0;
    if (const size_t plus = word.rfind('+'); plus != std::string_view::npos) {
      if (const auto number = ParseNumber(word.substr(plus + 1))) {
        offset = *number;
        word = word.substr(0, plus);
      }
    }
    const std::optional<std::string> name = Unescape(word);
    if (!name || name->empty()) return false;
    address = AddressOf(*name) + offset;
    return true;
  }

  uint64_t AddressOf(const std::string& name) {
    for (const auto& [address, object] : trace_.names.objects) {
      if (object.name == name) return address;
    }
    uint64_t address = kFirstObject;
    while (trace_.names.objects.contains(address)) address += kObjectStride;
    trace_.names.objects[address] = {.name = name, .size = kObjectStride};
    return address;
  }

  // The place that the line names is that of the event's site, or makes one.
  void GivePlace(Event& event) {
    Names& names = trace_.names;
    if (!event.instrumented() && event.site != 0) {
      Place& known = names.callers[event.site].place;
      if (known.file.empty()) known = *place_;
      return;
    }
    if (!event.instrumented()) {
      event.flags |= abi::kFlagInstrumented;
      event.site = SiteAt(*place_);
    }
    Place& known = names.sites[event.site].place;
    if (known.file.empty()) known = *place_;
  }

  uint32_t SiteAt(const Place& place) const {
    const auto& sites = trace_.names.sites;
    for (const auto& [index, site] : sites) {
      if (site.place == place) return index;
    }
    return sites.empty() ? 1 : sites.rbegin()->first + 1;
  }

  Trace trace_;
  uint64_t next_seq_ = 0;
  std::vector<std::string> labels_;  // of the line being read
  std::optional<Place> place_;       // of the line being read
};

}  // namespace

Result<Trace> ParseTraceUntrusted(std::string_view text) {
  TraceParser parser;
  size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    if (Status status = parser.Line(line, ++number); !status) {
      return status.error();
    }
  }
  return parser.Finish();
}

Trace ParseTrace(std::string_view text) {
  Result<Trace> trace = ParseTraceUntrusted(text);
  FL_CHECK(trace.has_value(), "{}", trace ? "" : trace.error().Text());
  return *std::move(trace);
}

}  // namespace fairlead::trace
