// A stack of blocks from a pool, without locks: between the look at the top and
// the exchange, the other thread takes two blocks and brings the first one
// back. Fixed: what it brings back is another block.

#include <atomic>
#include <cassert>
#include <thread>

struct Block {
  Block* next = nullptr;
  bool taken = false;
};

Block blocks[4];
std::atomic<Block*> top;

void Push(Block* block) {
  Block* seen = top.load();
  do {
    block->next = seen;
  } while (!top.compare_exchange_strong(seen, block));
}

Block* Pop() {
  Block* seen = top.load();
  while (seen != nullptr) {
    Block* const next = seen->next;
    if (top.compare_exchange_strong(seen, next)) break;
  }
  return seen;
}

void TakeTwo() {
  for (int i = 0; i < 2; ++i) {
    Block* const block = Pop();
    if (block == nullptr) continue;
    assert(!block->taken);
    block->taken = true;
  }
}

void TakeTwoBringOne() {
  Block* const first = Pop();
  Block* const second = Pop();
  if (second != nullptr) second->taken = true;
#ifdef FIXED
  if (first != nullptr) Push(&blocks[3]);
#else
  if (first != nullptr) Push(first);
#endif
}

int main() {
  for (int i = 0; i < 3; ++i) Push(&blocks[i]);
  std::thread one(TakeTwo);
  std::thread other(TakeTwoBringOne);
  one.join();
  other.join();
}
