#include "runtime/gate/inputs.h"

#include <string.h>

#include "runtime/emit/schedule_writer.h"
#include "runtime/gate/gate.h"
#include "runtime/gate/stall.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {
namespace {

const char* WordOf(abi::InputKind kind) {
  switch (kind) {
#define FL_INPUT(name, word, asked) \
  case abi::InputKind::name:        \
    return asked;
#include "abi/inputs.inc"
#undef FL_INPUT
  }
  return "nothing";  // a record of somebody else's
}

// Signals (outside/arrivals.h) and yields forced by time
// (intercept/progress.h) are nothing that the thread asks for.
bool ComesByItself(abi::InputKind kind) {
  return kind == abi::InputKind::kSignal || kind == abi::InputKind::kForced;
}

}  // namespace

// Storage without a constructor: all zeros is the state before Begin.
alignas(Inputs) constinit unsigned char inputs_storage[sizeof(Inputs)] = {};

void Inputs::Begin(abi::ControlPage& page) {
  constexpr uint64_t kFollows = abi::kPlanFollow | abi::kPlanPrefix;
  const abi::Region& region = page.region(abi::RegionId::kInputsIn);
  must_follow_ = (page.plan.flags & abi::kPlanFollow) != 0;
  fed_ = (page.plan.flags & kFollows) != 0 && region.used != 0;
  records_ = page.entries<abi::InputRecord>(abi::RegionId::kInputsIn);
  num_records_ = region.used;
  payload_ = page.entries<char>(abi::RegionId::kPayloadIn);
  payload_bytes_ = page.region(abi::RegionId::kPayloadIn).used;
  // What came ahead of here, in the process that this one was forked from.
  SkipTaken(Tid::kMain);
  SkipTaken(Tid::kNone);
}

void Inputs::SkipTaken(Tid tid) {
  uint64_t& next = next_[SequenceOf(tid)];
  next = 0;
  for (uint32_t i = 0; i < count_[SequenceOf(tid)]; ++i) {
    if (Peek(tid) != nullptr) ++next;
  }
}

const abi::InputRecord* Inputs::Peek(Tid tid) {
  uint64_t& next = next_[SequenceOf(tid)];
  while (next < num_records_ &&
         (records_[next].thread != tid || ComesByItself(records_[next].kind))) {
    ++next;
  }
  return next < num_records_ ? &records_[next] : nullptr;
}

const abi::InputRecord* Inputs::Take(Tid tid, abi::InputKind kind) {
  const abi::InputRecord* record = Peek(tid);
  if (record == nullptr || record->kind != kind) {
    if (must_follow_) Diverge(tid, kind, record);
    fed_ = false;
    return nullptr;
  }
  ++next_[SequenceOf(tid)];
  // What is fed is part of this execution's own schedule, too.
  const uint32_t count = ++count_[SequenceOf(tid)];
  const bool whole =
      record->payload_offset <= payload_bytes_ &&
      record->payload_bytes <= payload_bytes_ - record->payload_offset;
  const iovec payload = {const_cast<char*>(payload_ + record->payload_offset),
                         whole ? record->payload_bytes : 0};
  schedule_writer().Input(tid, count, kind, record->value, &payload, 1);
  return record;
}

void Inputs::Force(const Thread& thread) {
  ++num_forced_;
  Record(thread.tid, abi::InputKind::kForced, thread.count);
}

const abi::InputRecord* Inputs::NextForced() const {
  uint64_t left = num_forced_;
  for (uint64_t i = 0; i < num_records_; ++i) {
    if (records_[i].kind != abi::InputKind::kForced) continue;
    if (left-- == 0) return &records_[i];
  }
  return nullptr;
}

bool Inputs::IsForcedNext(const Thread& thread) const {
  const abi::InputRecord* next = NextForced();
  return next != nullptr && next->thread == thread.tid &&
         next->value == thread.count;
}

void Inputs::Record(Tid tid, abi::InputKind kind, uint64_t value,
                    const Outputs* outputs) {
  const uint32_t count = ++count_[SequenceOf(tid)];
  schedule_writer().Input(tid, count, kind, value,
                          outputs == nullptr ? nullptr : outputs->parts,
                          outputs == nullptr ? 0 : outputs->num_parts);
  if (outputs != nullptr && outputs->cut) schedule_writer().Lost();
}

void Inputs::Fill(const abi::InputRecord& record,
                  const Outputs& outputs) const {
  if (record.payload_offset > payload_bytes_) return;
  const char* from = payload_ + record.payload_offset;
  size_t left = record.payload_bytes;
  if (left > payload_bytes_ - record.payload_offset) return;
  for (size_t i = 0; i < outputs.num_parts && left != 0; ++i) {
    const iovec& part = outputs.parts[i];
    const size_t bytes = part.iov_len < left ? part.iov_len : left;
    memcpy(part.iov_base, from, bytes);
    from += bytes;
    left -= bytes;
  }
}

void Inputs::Diverge(Tid tid, abi::InputKind wanted,
                     const abi::InputRecord* found) const {
  Thread& running = *gate().running();
  abi::Divergence& where = control_page()->outcome.divergence;
  where.choice = gate().following().followed;
  Text text = OutcomeText();
  text.Put("divergence: input ").Decimal(count_[SequenceOf(tid)] + 1);
  text.Put(" of ");
  if (tid == Tid::kNone) {
    text.Put("the schedule");
  } else {
    PutThreadName(text, gate().thread(abi::Index(tid)));
  }
  text.Put(": the program asks for ").Put(WordOf(wanted));
  text.Put(", the schedule has ");
  text.Put(found == nullptr ? "no more" : WordOf(found->kind));
  StopInputDivergence(running);
}

}  // namespace fairlead::rt
