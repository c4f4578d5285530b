// Children end in std::terminate for five reasons, in a thread or in main; the
// handler says which exception it was.
// FLAGS: -std=c++20 -O1

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <thread>

static void handler() {
  int code = 50;
  if (auto current = std::current_exception()) {
    try {
      std::rethrow_exception(current);
    } catch (int number) {
      code = number;
    } catch (...) {
      code = 51;
    }
  }
  _exit(code);
}

static void no_throw() noexcept { throw 11; }

struct Throwing {
  ~Throwing() noexcept(false) { throw 12; }
};

static void while_unwinding() {
  Throwing object;
  throw 13;
}

static void in_thread() {
  std::thread([] { throw 14; }).join();
}

static void unjoined() {
  std::thread forgotten([] {});
}

int main() {
  std::set_terminate(handler);
  std::thread([] { std::puts("five ends:"); }).join();
  std::fflush(stdout);
  const std::function<void()> ways[] = {no_throw, while_unwinding, in_thread,
                                        unjoined, [] { std::terminate(); }};
  for (const auto& way : ways) {
    const pid_t child = fork();
    if (child == 0) {
      way();
      _exit(1);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) return 2;
    std::printf("%d ", WEXITSTATUS(status));
  }
  std::puts("");
}
