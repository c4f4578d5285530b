// MySQL-2: the file of a log is closed while its size is reported.
//
// The fix: test and use are one critical section.

#include "../zoo.h"

namespace {

struct File {
  unsigned blocks[8];
  unsigned num_blocks;
};

struct SharedLog {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  File* file = nullptr;  // under lock
};

SharedLog shared_log;

// Blocks in the file; 0 when it is closed.
unsigned Size() {
  unsigned size = 0;
  pthread_mutex_lock(&shared_log.lock);
  if (shared_log.file != nullptr) size = shared_log.file->num_blocks;
  pthread_mutex_unlock(&shared_log.lock);
  return size;
}

void Write(unsigned block) {
  pthread_mutex_lock(&shared_log.lock);
  File* file = shared_log.file;
  if (file != nullptr) file->blocks[file->num_blocks++] = block;
  pthread_mutex_unlock(&shared_log.lock);
}

void Close() {
  pthread_mutex_lock(&shared_log.lock);
  File* const file = shared_log.file;
  shared_log.file = nullptr;
  pthread_mutex_unlock(&shared_log.lock);
  delete file;
}

void* ShowStatus(void*) {
  zoo_start();
  for (unsigned i = 0; i < 4; ++i) {
    Write(i);
    if (Size() > 4) zoo_wrong("size", Size(), 4);
    zoo_compute(800, i);
  }
  return nullptr;
}

void* Shutdown(void*) {
  zoo_start();
  zoo_device(15000);
  Close();
  return nullptr;
}

}  // namespace

int main() {
  shared_log.file = new File{};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(ShowStatus, nullptr);
  const pthread_t two = zoo_spawn(Shutdown, nullptr);
  zoo_join(one);
  zoo_join(two);
  return 0;
}
