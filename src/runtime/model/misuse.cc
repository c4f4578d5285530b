#include "runtime/model/misuse.h"

#include "runtime/emit/emitter.h"
#include "runtime/gate/outcome.h"
#include "runtime/gate/stack_writer.h"
#include "runtime/sys/page.h"
#include "runtime/thread/name.h"

namespace fairlead::rt {

bool RecordMisuse(const Thread& thread, abi::Misuse what, const void* object) {
  abi::Outcome& outcome = control_page()->outcome;
  if (outcome.misuse != abi::Misuse::kNone) return false;
  outcome.misuse = what;
  outcome.misused = {.object = reinterpret_cast<uint64_t>(object),
                     .site = thread.place.site,
                     .node = thread.slot.node,
                     .site_flags = thread.place.flags,
                     .thread = thread.tid,
                     .reserved = 0};
  KeepStacks(thread, nullptr);
  return true;
}

void ReportMisuse(Thread& thread, abi::Misuse what, const void* object) {
  emitter().Emit(thread, EventKind::kMisuse, 0, object,
                 static_cast<uint64_t>(what));
  if (!RecordMisuse(thread, what, object)) return;
  Text text = OutcomeText();
  text.Put("misuse: ");
  PutThreadName(text, thread);
  text.Put(' ').Put(abi::WordsOf(what));
  if (object != nullptr) {
    text.Put(": ").Hex(reinterpret_cast<uint64_t>(object));
  }
  TellDebugger(control_page()->outcome.text);
}

}  // namespace fairlead::rt
