// explore/watch/event_stream.h
//
// Decodes the records of an execution once, for all who want its events. When
// nobody waits any more (base/patience.h) the rest is only taken.

#ifndef FAIRLEAD_EXPLORE_WATCH_EVENT_STREAM_H_
#define FAIRLEAD_EXPLORE_WATCH_EVENT_STREAM_H_

#include <vector>

#include "explore/names/module_tables.h"
#include "explore/run/execution.h"
#include "order/orders.h"
#include "trace/decode.h"

namespace fairlead::explore {

// Receives the events of an execution while it goes on.
class EventObserver {
 public:
  virtual ~EventObserver() = default;
  // Ahead of the first event: what the compiler knows of the sites, functions
  // and types that events name, and the orders that observers share. Both live
  // as long as the stream.
  virtual void OnBegin(trace::ProgramTables& /*tables*/,
                       order::Orders& /*orders*/) {}
  // In order. Never fails, since the program must not be kept waiting.
  virtual void OnEvent(const trace::Event& event) = 0;
  // The record of an event that is to come in a while, untrusted: a chance to
  // have what is known of it at hand. Not told of every one.
  virtual void Expect(const abi::Event& /*record*/) {}
};

class EventStream final : public RecordObserver {
 public:
  EventStream() = default;
  explicit EventStream(EventObserver& observer) { Add(observer); }

  // Before the first record; it must live as long as records come.
  void Add(EventObserver& observer) { observers_.push_back(&observer); }

  void OnRecords(std::span<const abi::Event> records,
                 const ControlMemory& memory) override;

  // Why the records made no sense, if they did not, or that the rest was left.
  // Observers have seen what came before.
  const Status& status() const { return status_; }

  uint64_t num_events() const { return decoder_.num_events(); }

 private:
  // Whether so much has been looked at since the last time that it is to be
  // asked whether anybody still waits.
  bool IsTimeToLook(const trace::Event& event);

  trace::Decoder decoder_;
  ModuleTables tables_;
  order::Orders orders_;
  bool began_ = false;
  std::vector<EventObserver*> observers_;
  Status status_;
  bool stopped_ = false;
  uint64_t cost_ = 0;  // of the events since the last look
};

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_WATCH_EVENT_STREAM_H_
