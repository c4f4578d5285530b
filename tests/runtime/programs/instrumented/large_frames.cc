// Functions with locals of more than half of the stack, of the kinds for which
// a call at the end of a function is no plain jump; and recursion, of small
// frames too, that takes most of the stack. An instrumented function has two
// bodies, whose frames must not be on the stack together.
//
// EXPECT: ended(0)
// PLAIN:  0
// SEEDS:  2

#include <pthread.h>
#include <setjmp.h>
#include <string.h>

#include <string>

#include "../verify.h"

// Not a part of its caller, as clang would have it.
#define KEPT __attribute__((noinline))

namespace {

constexpr size_t kLarge = 5 << 20;
int shared = 0;

KEPT void Fill(char* bytes, size_t size) {
  memset(bytes, 1, size);
  ++shared;
}

KEPT int Plain() {
  char large[kLarge];
  Fill(large, sizeof(large));
  return large[shared];
}

KEPT int Aligned() {
  alignas(64) char large[kLarge];
  Fill(large, sizeof(large));
  return large[shared];
}

struct Numbers {
  long values[8];
};

KEPT Numbers InMemory() {
  char large[kLarge];
  Fill(large, sizeof(large));
  return {{large[shared]}};
}

KEPT int ByCopy(Numbers numbers) {
  char large[kLarge];
  Fill(large, sizeof(large));
  numbers.values[0] += shared;
  return large[numbers.values[0] - shared];
}

KEPT int Jumping() {
  jmp_buf back;
  char large[kLarge];
  Fill(large, sizeof(large));
  if (setjmp(back) == 0) longjmp(back, 1);
  return large[shared];
}

KEPT int Dynamic(size_t size) {
  auto* large = static_cast<char*>(__builtin_alloca(size));
  Fill(large, size);
  return large[shared];
}

// Ten frames of half a megabyte each.
Numbers Deeper(int depth) {
  alignas(64) char large[512 << 10];
  Fill(large, sizeof(large));
  if (depth == 0) return {{large[0]}};
  Numbers numbers = Deeper(depth - 1);
  numbers.values[0] += large[depth];
  return numbers;
}

// Frames of 16 to 32 bytes.
int Count(int depth) {
  if (depth == 0) return 0;
  const int below = Count(depth - 1);
  ++shared;
  return below + 1;
}

void* Work(void*) {
  VERIFY(Plain() == 1);
  VERIFY(Aligned() == 1);
  VERIFY(InMemory().values[0] == 1);
  VERIFY(ByCopy({{0}}) == 1);
  VERIFY(Jumping() == 1);
  VERIFY(Dynamic(kLarge) == 1);
  VERIFY(Deeper(9).values[0] == 10);
  VERIFY(Count(150'000) == 150'000);
  return nullptr;
}

}  // namespace

int main() {
  Work(nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, Work, nullptr);
  pthread_join(thread, nullptr);
  return 0;
}
