// Flags: -std=c++20
// Probe: before,after,frames
//
// A coroutine is resumed and destroyed like any other program's. It keeps no
// calling context of its own, since it may go on in another thread.

#include <coroutine>

int produced;

struct Generator {
  struct promise_type {
    int value = 0;  // fires[O0 O1 O2 O3] store x*
    Generator get_return_object() {  // fires enter x*, exit x*
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }  // fires enter x*, exit x*
    std::suspend_always final_suspend() noexcept { return {}; }  // fires enter x*, exit x*
    std::suspend_always yield_value(int v) {  // fires enter x*, exit x*
      value = v;  // fires store=0, store=1, store=2
      return {};
    }
    void return_void() {}  // fires enter x*, exit x*
    void unhandled_exception() {}  // fires enter x*, exit x*
  };
  std::coroutine_handle<promise_type> handle;
};

Generator Count(int n) {  // fires enter x*, exit x*, store x*, load x*
  for (int i = 0; i < n; ++i) {  // fires load x*, store x*
    produced++;  // fires load x3, store x3
    co_yield i;  // fires load x*, store x*
  }
}

int main() {  // fires enter, exit
  Generator generator = Count(3);  // fires load x*, store x*
  int sum = 0;
  for (;;) {
    generator.handle.resume();  // fires load x*, store x*
    if (generator.handle.done()) break;  // fires load x*, store x*
    sum += generator.handle.promise().value;  // fires load x3
  }
  generator.handle.destroy();  // fires load x*, store x*
  return sum == 3 && produced == 3 ? 0 : 1;  // fires load=3
}
