#include "explore/watch/request_watch.h"

#include <fmt/format.h>

#include "base/printable.h"

namespace fairlead::explore {
namespace {

using trace::EventKind;

// The name with which the payload of a change begins.
std::string NameIn(const trace::Event& event) {
  return event.payload.substr(0, event.payload.find('\0'));
}

}  // namespace

void RequestWatch::OnEvent(const trace::Event& event) {
  if (event.kind < EventKind::kRequestBegin) return;  // nearly all of them
  switch (event.kind) {
    case EventKind::kRequestBegin:
      Begin(event);
      return;
    case EventKind::kRequestEnd:
      End(event);
      return;
    case EventKind::kSession:
      sessions_[event.value] = event.payload;
      return;
    case EventKind::kQuiescent:
      Compare();
      if (open_.empty()) quiet_state_ = state_.components();
      return;
    case EventKind::kComponent:
    case EventKind::kStateAdd:
    case EventKind::kStateRemove:
    case EventKind::kStateAppend:
    case EventKind::kStateClear:
    case EventKind::kStatePut:
    case EventKind::kStateSet:
      Change(event);
      return;
    case EventKind::kReady:
    case EventKind::kUnitBegin:
    case EventKind::kUnitEnd:
    case EventKind::kSetAdd:
    case EventKind::kGuardAddress:
#define FL_OTHER_kRequest(name)
#include "abi/other_groups.inc"
      return;
  }
}

void RequestWatch::Begin(const trace::Event& event) {
  const std::pair key(event.address, event.value);
  quiet_state_.reset();
  if (!seen_.insert(key).second && problem_.empty()) {
    const auto name = sessions_.find(event.address);
    problem_ = fmt::format(
        "two requests of session {} have the number {}; they count within "
        "their session",
        name == sessions_.end() ? std::to_string(event.address)
                                : PrintableLine(name->second),
        event.value);
  }
  open_[key] = history_.size();
  history_.push_back({.session = event.address,
                      .number = event.value,
                      .asks = event.payload,
                      .begin = event.seq});
}

void RequestWatch::End(const trace::Event& event) {
  const auto open = open_.find({event.address, event.value});
  if (open == open_.end()) {
    if (problem_.empty()) problem_ = "a request ended that had not begun";
    return;
  }
  lin::Request& request = history_[open->second];
  request.end = event.seq;
  request.answer = {.status = static_cast<int64_t>(event.old_value.value_or(0)),
                    .reply = event.payload};
  open_.erase(open);
}

void RequestWatch::Change(const trace::Event& event) {
  const std::string name = NameIn(event);
  bool& changed = touched_[name];
  const bool walk = event.kind == EventKind::kStateClear && event.value == 1;
  if (walk) {
    walking_ = true;
    if (fed_.contains(name)) before_walk_[name] = state_.components().at(name);
  } else if (event.kind != EventKind::kComponent) {
    changed = true;
    if (!walking_) fed_.insert(name);
  }
  state_.OnEvent(event);
}

// What the calls said before a walk is what the walk has found.
void RequestWatch::Compare() {
  for (const auto& [name, before] : before_walk_) {
    const auto now = state_.components().find(name);
    if (now == state_.components().end() ||
        lin::DifferenceOf(before, now->second).any()) {
      disagreeing_.insert(name);
    }
  }
  before_walk_.clear();
  walking_ = false;
}

}  // namespace fairlead::explore
