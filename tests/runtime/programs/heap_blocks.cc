// Every function that allocates, in two threads; addresses must not depend on
// the carrier or on the repetition, which the runner checks through digests of
// values that are pointers printed into the exit code.
//
// EXPECT: ended(0)

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <map>
#include <string>
#include <vector>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* work(void*) {
  std::map<int, std::string> strings;
  for (int i = 0; i < 50; ++i) {
    pthread_mutex_lock(&mutex);
    strings[i] = std::string(static_cast<size_t>(i * 7), 'x');
    if (i % 3 == 0) strings.erase(i / 2);
    pthread_mutex_unlock(&mutex);
  }
  char* zeroed = static_cast<char*>(calloc(100, 3));
  for (int i = 0; i < 300; ++i) {
    if (zeroed[i] != 0) exit(3);
  }
  memset(zeroed, 1, 300);
  zeroed = static_cast<char*>(realloc(zeroed, 100000));
  if (zeroed[299] != 1) exit(4);
  free(zeroed);
  void* aligned = nullptr;
  if (posix_memalign(&aligned, 4096, 10) != 0) exit(5);
  if (reinterpret_cast<size_t>(aligned) % 4096 != 0) exit(6);
  if (malloc_usable_size(aligned) < 10) exit(7);
  free(aligned);
  aligned = aligned_alloc(64, 640);
  if (reinterpret_cast<size_t>(aligned) % 64 != 0) exit(8);
  free(aligned);
  std::vector<char> big(1 << 20);
  big[12345] = 1;
  free(malloc(0));
  volatile size_t huge = size_t{1} << 62;
  void* volatile none = malloc(huge);
  if (none != nullptr) exit(9);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  for (auto& thread : threads) pthread_create(&thread, nullptr, work, nullptr);
  for (auto& thread : threads) pthread_join(thread, nullptr);
  return 0;
}
