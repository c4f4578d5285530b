// Threads leave in every way there is, some detached, with exceptions, handlers
// and thread-local objects: AddressSanitizer keeps track of all their stacks.
//
// BUILD:  -fsanitize=address,undefined
// EXPECT: ended(0)
// SEEDS:  6

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static sem_t done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

struct Kept {
  std::string text = std::string(100, 'x');
};
static thread_local Kept kept;

static int Deep(int depth) {
  char room[256];
  memset(room, depth, sizeof(room));
  if (depth == 0) throw std::runtime_error("bottom");
  return Deep(depth - 1) + room[depth];
}

static int Catches() {
  try {
    return Deep(20);
  } catch (const std::runtime_error& error) {
    return static_cast<int>(strlen(error.what()));
  }
}

static void Unlock(void*) { pthread_mutex_unlock(&lock); }

static void* Exits(void*) {
  char room[64];
  memset(room, 1, sizeof(room));
  kept.text += room[3];
  if (Catches() == 6) pthread_exit(nullptr);
  return nullptr;
}

static void* WaitsForever(void*) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(Unlock, nullptr);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(1);
}

static void* Posts(void*) {
  kept.text.clear();
  sem_post(&done);
  return nullptr;
}

int main() {
  sem_init(&done, 0, 0);
  pthread_t exits, waits, posts;
  pthread_create(&exits, nullptr, Exits, nullptr);
  pthread_create(&waits, nullptr, WaitsForever, nullptr);
  pthread_create(&posts, nullptr, Posts, nullptr);
  pthread_detach(posts);
  if (Catches() != 6) abort();
  pthread_cancel(waits);
  pthread_join(exits, nullptr);
  void* result;
  pthread_join(waits, &result);
  if (result != PTHREAD_CANCELED) abort();
  sem_wait(&done);
  std::vector<std::thread> more;
  for (int i = 0; i < 3; ++i) more.emplace_back([] { kept.text += Catches(); });
  for (std::thread& thread : more) thread.join();
}
