// What runs at the end, in which order: atexit inside atexit, statics,
// thread-locals of main, on_exit, destructor functions; quick_exit in a child.
// FLAGS: -std=c++20 -O2
// EXIT: 9

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

struct Says {
  explicit Says(const char* text) : text(text) {}
  ~Says() { std::printf("~%s ", text); }
  const char* text;
};

static Says early("early");

__attribute__((destructor)) static void last() {
  std::puts("destructor function");
}

static void inner() { std::printf("inner "); }

static void outer() {
  std::printf("outer ");
  std::atexit(inner);
}

static void told(int code, void* what) {
  std::printf("on_exit(%d,%s) ", code, static_cast<char*>(what));
}

static Says& local() {
  static Says one("local");
  return one;
}

int main() {
  std::at_quick_exit([] {
    std::printf("quick ");
    std::fflush(stdout);
  });
  const pid_t child = fork();
  if (child == 0) std::quick_exit(4);
  int status = 0;
  if (waitpid(child, &status, 0) != child) return 2;
  std::printf("child %d ", WEXITSTATUS(status));
  thread_local Says of_main("of_main");
  std::printf("%s ", of_main.text);
  std::atexit(outer);
  std::thread([] {
    thread_local Says of_thread("of_thread");
    std::printf("%s ", of_thread.text);
    local();
  }).join();
  static char word[] = "word";
  on_exit(told, word);
  std::thread ends([] { std::exit(9); });
  ends.join();
}
