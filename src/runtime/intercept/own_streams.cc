// runtime/intercept/own_streams.cc
//
// Streams of the program's own functions (fopencookie): libc calls these with
// the stream's lock, which it takes where nobody sees it. What one of them did
// comes before what the next one on the same stream does. The rules all hooks
// obey are in runtime/README.md.

#include <errno.h>
#include <stdio.h>

#include "runtime/emit/emitter.h"
#include "runtime/gate/hook.h"
#include "runtime/sys/arena.h"
#include "runtime/sys/real.h"

using namespace fairlead;
using namespace fairlead::rt;

namespace {

struct OwnStream {
  void* cookie;
  cookie_io_functions_t functions;
};

// Around a call of a function of the stream's.
class InOrder {
 public:
  explicit InOrder(const OwnStream& stream) : stream_(stream) {
    Tell(EventKind::kAcquire);
  }
  ~InOrder() { Tell(EventKind::kRelease); }
  InOrder(const InOrder&) = delete;
  InOrder& operator=(const InOrder&) = delete;

 private:
  void Tell(EventKind kind) const {
    HookScope hook(FL_CALLER);
    if (!hook.controlled()) return;
    hook.thread().place = hook.place();
    emitter().EmitNamed(hook.thread(), kind, &stream_, nullptr, 0);
  }

  const OwnStream& stream_;
};

ssize_t Read(void* cookie, char* to, size_t bytes) {
  const auto& stream = *static_cast<OwnStream*>(cookie);
  const InOrder order(stream);
  return stream.functions.read(stream.cookie, to, bytes);
}

ssize_t Write(void* cookie, const char* from, size_t bytes) {
  const auto& stream = *static_cast<OwnStream*>(cookie);
  const InOrder order(stream);
  return stream.functions.write(stream.cookie, from, bytes);
}

int Seek(void* cookie, off64_t* position, int whence) {
  const auto& stream = *static_cast<OwnStream*>(cookie);
  const InOrder order(stream);
  return stream.functions.seek(stream.cookie, position, whence);
}

int Close(void* cookie) {
  const auto& stream = *static_cast<OwnStream*>(cookie);
  const InOrder order(stream);
  return stream.functions.close(stream.cookie);
}

}  // namespace

extern "C" FL_HOOK FILE* fopencookie(void* cookie, const char* mode,
                                     cookie_io_functions_t functions) noexcept {
  OwnStream* stream = nullptr;
  {
    HookScope hook(FL_CALLER);
    if (hook.controlled()) stream = ArenaNew<OwnStream>();
  }
  if (stream == nullptr) return real().fopencookie(cookie, mode, functions);
  *stream = {cookie, functions};
  // What is missing means something to libc.
  return real().fopencookie(
      stream, mode,
      {.read = functions.read != nullptr ? Read : nullptr,
       .write = functions.write != nullptr ? Write : nullptr,
       .seek = functions.seek != nullptr ? Seek : nullptr,
       .close = functions.close != nullptr ? Close : nullptr});
}
