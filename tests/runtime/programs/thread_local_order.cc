// thread_local objects die when their thread ends, in reverse order of their
// construction and before the values of pthread keys. Destructors may use locks
// and make further objects.
//
// EXPECT: ended(0)
// PLAIN:  0

#include <pthread.h>
#include <stdlib.h>

#include <mutex>
#include <string>
#include <thread>

namespace {

std::mutex mutex;
std::string order;
pthread_key_t key;

void Note(char letter) {
  std::lock_guard lock(mutex);
  order += letter;
}

struct Object {
  explicit Object(char letter) : letter(letter) {}
  ~Object() { Note(letter); }
  char letter;
};

thread_local Object first('1');

struct Late {
  ~Late() {
    static thread_local Object made_late('3');
    Note(made_late.letter == '3' ? '2' : 'x');
  }
};
thread_local Late late;

void DestroyValue(void* value) {
  Note(*static_cast<char*>(value));
  if (*static_cast<char*>(value) == 'k') {
    static char again = 'l';
    pthread_setspecific(key, &again);  // one more round
  }
}

void Use() {
  (void)&first;
  first.letter = '1';
  (void)&late;
  static char value = 'k';
  pthread_setspecific(key, &value);
}

}  // namespace

int main() {
  pthread_key_create(&key, DestroyValue);
  std::thread thread(Use);
  thread.join();
  if (order != "231kl") return 1;
  std::thread other([] {
    first.letter = '1';
    pthread_exit(nullptr);
  });
  other.join();
  return order == "231kl231" ? 0 : 2;
}
