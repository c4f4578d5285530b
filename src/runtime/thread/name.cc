#include "runtime/thread/name.h"

namespace fairlead::rt {

void PutThreadPath(Text& text, const Thread& thread) {
  if (thread.parent == nullptr) {
    text.Put("main");
  } else {
    PutThreadPath(text, *thread.parent);
    text.Put('/').Decimal(thread.ordinal);
  }
}

void PutThreadName(Text& text, const Thread& thread) {
  PutThreadPath(text, thread);
  if (thread.name[0] != '\0') text.Put(" (").Put(thread.name).Put(')');
}

}  // namespace fairlead::rt
