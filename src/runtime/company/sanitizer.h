// runtime/company/sanitizer.h
//
// Sanitizers that are built into the program (AddressSanitizer,
// UndefinedBehaviorSanitizer) and our runtime beside them. What each side does
// is in docs/design/company.md. In short: their functions come first, ours
// behind them; the heap is theirs and we are told about it; their reports are
// outcomes of the execution.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_COMPANY_SANITIZER_H_
#define FAIRLEAD_RUNTIME_COMPANY_SANITIZER_H_

#include <stddef.h>

#include "runtime/thread/thread.h"

namespace fairlead::rt {

// What sanitizers call: with every piece that they print; when they are about
// to end the process, past libc's ways out; and ahead of and after their heap's
// work.
struct SanitizerHooks {
  void (*on_print)(const char* printed);
  void (*on_death)();
  void (*on_malloc)(const volatile void* block, size_t bytes);
  void (*on_free)(const volatile void* block);
};

// Looks for sanitizers in the process and asks them to call `hooks`. Called
// once, at the start, before they begin themselves.
void MeetSanitizers(char** environment, const SanitizerHooks& hooks);

// The size of a block; 0 = not known. Of what is none, or none any more, it
// must not be asked: that would be a report about us, ahead of the one about
// the program.
size_t SizeOfBlock(const volatile void* block);

// Whether AddressSanitizer is in the process: malloc is its own, and it holds a
// lock of its own while it calls pthread_create and pthread_detach, so that
// nobody else may go on in there.
bool HasAddressSanitizer();

// Whether the user has asked for a search for leaks at the end.
bool WantsLeaks();

// Whether `pc` is in the code of a sanitizer's runtime.
bool InSanitizer(const void* pc);

// While one of these lives, a thread that runs on another stack than it began
// with has told AddressSanitizer so. Made on the old stack with where the new
// one is; Arrived() is called first on the new stack, Leaving() last.
class StackMove {
 public:
  StackMove(const char* begin, size_t bytes);
  void Arrived();
  void Leaving();
  ~StackMove();
  StackMove(const StackMove&) = delete;
  StackMove& operator=(const StackMove&) = delete;

 private:
  void* saved_ = nullptr;
  const void* old_begin_ = nullptr;
  size_t old_bytes_ = 0;
};

// No other thread is chosen while this lives, unless the thread must wait.
class QuietWhileSanitizerLocks {
 public:
  explicit QuietWhileSanitizerLocks(Thread& thread) : thread_(thread) {
    if (HasAddressSanitizer()) ++thread_.marked;
  }
  ~QuietWhileSanitizerLocks() {
    if (HasAddressSanitizer()) --thread_.marked;
  }
  QuietWhileSanitizerLocks(const QuietWhileSanitizerLocks&) = delete;
  QuietWhileSanitizerLocks& operator=(const QuietWhileSanitizerLocks&) = delete;

 private:
  Thread& thread_;
};

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_COMPANY_SANITIZER_H_
