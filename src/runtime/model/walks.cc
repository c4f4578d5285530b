#include "runtime/model/walks.h"

#include <string.h>

#include "runtime/emit/emitter.h"
#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

struct Walked {
  const char* component;  // ours; "" for none
  fairlead_walk_function* function;
  void* object;
};
Walked* walks = nullptr;  // kMaxWalks of them, made when first needed
size_t num_walks = 0;

const char* Copy(const char* text) {
  const size_t bytes = strlen(text) + 1;
  return static_cast<const char*>(memcpy(ArenaAllocate(bytes), text, bytes));
}

}  // namespace

void SetWalk(const char* component, fairlead_walk_function* function,
             void* object) {
  if (component == nullptr) component = "";
  for (size_t i = 0; i < num_walks; ++i) {
    if (strcmp(walks[i].component, component) != 0) continue;
    walks[i].function = function;
    walks[i].object = object;
    return;
  }
  if (num_walks == kMaxWalks || function == nullptr) return;
  if (walks == nullptr) walks = ArenaArray<Walked>(kMaxWalks);
  walks[num_walks++] = {Copy(component), function, object};
}

void WalkAll(Thread& thread) {
  for (size_t i = 0; i < num_walks; ++i) {
    const Walked& walked = walks[i];
    if (walked.function == nullptr) continue;
    const Emitter::Bytes name = {walked.component, strlen(walked.component)};
    emitter().EmitBytes(thread, EventKind::kStateClear, nullptr, 1, &name, 1);
    fairlead_walk walk = {&thread, walked.component};
    walked.function(&walk, walked.object);
  }
}

}  // namespace fairlead::rt
