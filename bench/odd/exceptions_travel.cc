// Exceptions cross threads: nested, rethrown by several at once, thrown while
// others unwind.
// FLAGS: -std=c++20 -O2

#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::atomic<int> unwound, during;

struct Guard {
  ~Guard() {
    during += std::uncaught_exceptions();
    try {
      throw 1;  // A second exception, over before the first goes on.
    } catch (int one) {
      unwound += one;
    }
  }
};

static void Deep(int n) {
  Guard guard;
  if (n == 0) throw std::out_of_range("bottom");
  Deep(n - 1);
}

static void Wrapped(int who) {
  try {
    Deep(4);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("thread " + std::to_string(who)));
  }
}

static std::string Words(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& inner) {
    return std::string(error.what()) + " < " + Words(inner);
  }
  return error.what();
}

int main() {
  std::exception_ptr kept[3];
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&kept, i] {
      try {
        Wrapped(i);
      } catch (...) {
        kept[i] = std::current_exception();
      }
    });
  threads.clear();
  std::atomic<int> same{0};
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (auto& one : kept) {
        try {
          std::rethrow_exception(one);
        } catch (const std::exception& error) {
          same += Words(error).ends_with("< bottom");
        }
      }
    });
  threads.clear();
  for (auto& one : kept) {
    try {
      std::rethrow_exception(one);
    } catch (const std::exception& error) {
      std::puts(Words(error).c_str());
    }
  }
  std::printf("unwound %d, during %d, same %d\n", unwound.load(), during.load(),
              same.load());
}
