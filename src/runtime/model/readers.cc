#include "runtime/model/readers.h"

#include "runtime/sys/arena.h"

namespace fairlead::rt {
namespace {

Reader* pool = nullptr;

Reader& TakeRecord() {
  if (pool == nullptr) return *ArenaNew<Reader>();
  Reader& record = *pool;
  pool = record.next;
  return record;
}

void GiveBack(Reader& record) {
  record.next = pool;
  pool = &record;
}

}  // namespace

bool Reads(const Rwlock& lock, const Thread& thread) {
  for (const Reader* reader = lock.readers; reader != nullptr;
       reader = reader->next) {
    if (reader->thread == &thread) return true;
  }
  return false;
}

uint32_t AddReader(Rwlock& lock, Thread& thread) {
  ++lock.num_reads;
  for (Reader* reader = lock.readers; reader != nullptr;
       reader = reader->next) {
    if (reader->thread == &thread) return ++reader->depth;
  }
  Reader& fresh = TakeRecord();
  fresh = {&thread, 1, lock.readers};
  lock.readers = &fresh;
  return 1;
}

uint32_t RemoveReader(Rwlock& lock, const Thread& thread) {
  Reader** link = &lock.readers;
  for (Reader** at = link; *at != nullptr; at = &(*at)->next) {
    if ((*at)->thread == &thread) link = at;
  }
  Reader& reader = **link;
  --lock.num_reads;
  if (--reader.depth > 0) return reader.depth;
  *link = reader.next;
  GiveBack(reader);
  return 0;
}

void ForgetReaders(Rwlock& lock) {
  while (lock.readers != nullptr) {
    Reader& reader = *lock.readers;
    lock.readers = reader.next;
    GiveBack(reader);
  }
  lock.num_reads = 0;
}

}  // namespace fairlead::rt
