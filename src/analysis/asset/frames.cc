#include "analysis/asset/frames.h"

#include <algorithm>

namespace fairlead::analysis::asset {

using trace::Event;
using trace::EventKind;

Frames::Thread& Frames::ThreadOf(trace::Tid tid) {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size()) threads_.resize(index + 1);
  return threads_[index];
}

void Frames::Enter(const Event& event, Thread& thread) {
  if (thread.frames.size() == kMostFrames) {
    ++thread.beyond;
    return;
  }
  UnitFrame& frame = thread.frames.emplace_back();
  frame.id = {++num_activations_, 0};
  frame.function = tables_ == nullptr ? nullptr : tables_->FunctionOf(event);
  if (frame.function != nullptr) layouts_->NoteMethod(*frame.function);
  frame.node = event.node;
  frame.starts = thread.frames.size() == 1;
}

const trace::FunctionName* Frames::Entered(trace::Tid tid) const {
  const size_t index = abi::Index(tid);
  if (index >= threads_.size() || threads_[index].frames.empty()) {
    return nullptr;
  }
  return threads_[index].frames.back().function;
}

bool Frames::Waits(const Event& event) {
  switch (event.kind) {
    case EventKind::kWait:
    case EventKind::kBarrierWait:
    case EventKind::kSemWait:
    case EventKind::kFutexWait:
    case EventKind::kJoin:
      return true;
    default:
      return false;
  }
}

std::optional<bool> Frames::IsSaidToBeUnit(
    const trace::FunctionName& function) {
  if (declared_ != nullptr && !declared_->empty()) {
    const Layout* layout = layouts_->Of(function.type);
    const std::string names[] = {
        function.name,
        layout == nullptr ? "" : layout->name + "::" + function.name};
    for (const std::string& name : names) {
      if (declared_->not_units.contains(name)) return false;
      if (declared_->units.contains(name)) return true;
    }
  }
  if (function.has(abi::kFunctionNotUnit)) return false;
  if (function.has(abi::kFunctionUnit)) return true;
  return {};
}

bool Frames::IsUnit(const UnitFrame& frame, const SetInstance& set) {
  const trace::FunctionName* function = frame.function;
  if (function == nullptr) return false;
  if (const auto said = IsSaidToBeUnit(*function)) return *said;
  if (function->name == "main") return false;
  if (frame.starts && function->has(abi::kFunctionLambda)) return false;
  // Statics, plain structs among them, belong to the functions of their file.
  const bool of_file =
      !set.file.empty() && !frame.starts && function->type == 0 &&
      !function->has(abi::kFunctionLambda) && function->place.file == set.file;
  if (set.layout == nullptr) return of_file;
  return layouts_->IsMethod(*function, set.layout->type) ||
         (of_file && !layouts_->HasMethods(set.layout->type));
}

const UnitFrame& Frames::UnitOf(trace::Tid tid, const SetInstance& set) {
  Thread& thread = ThreadOf(tid);
  for (const UnitFrame& frame : thread.frames) {
    if (IsUnit(frame, set)) return frame;
  }
  return thread.section.id.activation != 0 ? thread.section : alone_;
}

}  // namespace fairlead::analysis::asset
