#include "runtime/emit/schedule_writer.h"

#include <string.h>

#include "runtime/emit/digest.h"

namespace fairlead::rt {
namespace {

constinit ScheduleWriter the_writer;

void Publish(abi::Region& region, uint64_t used) {
  // Pairs with the tool's acquire load: the entries below are whole.
  __atomic_store_n(&region.used, used, __ATOMIC_RELEASE);
}

}  // namespace

ScheduleWriter& schedule_writer() { return the_writer; }

void ScheduleWriter::Begin(abi::ControlPage& page) {
  page_ = &page;
  digest_ = 1;
  Renew(page);
}

void ScheduleWriter::Renew(abi::ControlPage& page) {
  choices_ = page.entries<abi::ChoiceRecord>(abi::RegionId::kChoicesOut);
  const bool records = (page.plan.flags & abi::kPlanRecord) != 0;
  max_choices_ = records ? page.region(abi::RegionId::kChoicesOut).capacity : 0;
  const bool points = (page.plan.flags & abi::kPlanPoints) != 0;
  max_seen_ = points ? page.region(abi::RegionId::kPointsOut).capacity : 0;
}

void ScheduleWriter::Chose(const abi::ChoiceRecord& choice) {
  const uint64_t who = (uint64_t{static_cast<uint16_t>(choice.next)} << 48) |
                       (uint64_t{static_cast<uint16_t>(choice.left)} << 32) |
                       choice.count;
  digest_ = Fold(digest_, who + choice.option);
  if (max_choices_ == 0) return;
  if (num_choices_ == max_choices_) {
    ++lost_;
    return;
  }
  choices_[num_choices_] = choice;
  Publish(page_->region(abi::RegionId::kChoicesOut), ++num_choices_);
}

void ScheduleWriter::Saw(const sched::Point& point, size_t picked, bool aside) {
  const size_t number = point.enabled.size();
  if (number > max_seen_ - num_seen_) {
    max_seen_ = 0;
    return;
  }
  abi::SeenRecord* seen =
      page_->entries<abi::SeenRecord>(abi::RegionId::kPointsOut) + num_seen_;
  for (size_t i = 0; i < number; ++i) {
    const sched::Candidate& candidate = point.enabled[i];
    uint8_t flags = 0;
    if (i + 1 == number) flags |= abi::kSeenLast;
    if (i == picked) flags |= abi::kSeenChosen;
    if (point.yielding) flags |= abi::kSeenYielding;
    if (aside) flags |= abi::kSeenAside;
    seen[i] = {.thread = candidate.tid,
               .op = candidate.next,
               .flags = flags,
               .count = point.count,
               .running = point.running,
               .reserved = 0,
               .way = point.way,
               .object = static_cast<uint64_t>(candidate.object),
               .site = point.site};
  }
  num_seen_ += number;
  Publish(page_->region(abi::RegionId::kPointsOut), num_seen_);
}

void ScheduleWriter::Input(Tid tid, uint32_t count, abi::InputKind kind,
                           uint64_t value, const iovec* parts,
                           size_t num_parts) {
  // The kernel gives other process ids each time; that one was told is the
  // same.
  const uint64_t told = kind == abi::InputKind::kPid ? 0 : value;
  digest_ = Fold(Fold(digest_, static_cast<uint64_t>(kind)), told);
  if (max_choices_ == 0) return;
  abi::Region& inputs = page_->region(abi::RegionId::kInputsOut);
  abi::Region& payloads = page_->region(abi::RegionId::kPayloadOut);
  size_t bytes = 0;
  for (size_t i = 0; i < num_parts; ++i) bytes += parts[i].iov_len;
  if (inputs.used == inputs.capacity ||
      bytes > payloads.capacity - payloads.used) {
    ++lost_;
    return;
  }
  char* room = page_->entries<char>(abi::RegionId::kPayloadOut) + payloads.used;
  for (size_t i = 0; i < num_parts; ++i) {
    memcpy(room, parts[i].iov_base, parts[i].iov_len);
    room += parts[i].iov_len;
  }
  page_->entries<abi::InputRecord>(abi::RegionId::kInputsOut)[inputs.used] = {
      .kind = kind,
      .thread = tid,
      .count = count,
      .value = value,
      .payload_offset = static_cast<uint32_t>(payloads.used),
      .payload_bytes = static_cast<uint32_t>(bytes)};
  Publish(payloads, payloads.used + bytes);
  Publish(inputs, inputs.used + 1);
}

}  // namespace fairlead::rt
