// A detached thread still greets by a text that the end of the program frees.

#include <cstdio>
#include <memory>
#include <string>
#include <thread>

namespace {

struct Greeter {
  std::string text = "a greeting that is too long to be kept inside";
  void Greet() const { std::printf("%zu letters\n", text.size()); }
};

std::unique_ptr<Greeter> greeter = std::make_unique<Greeter>();

}  // namespace

int main() {
  std::thread guest([] { greeter->Greet(); });
#ifdef FIXED
  guest.join();
#else
  guest.detach();
#endif
  return 0;
}
