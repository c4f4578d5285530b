// R-W | R-W: a singleton is made twice.
#include <cstdlib>
#include <thread>

#include "jitter.h"

namespace {

int made = 0;

struct Registry {
  int entries = 0;
};

Registry* instance = nullptr;

Registry& Get() {
  if (instance == nullptr) {
    work(0, 40);
    ++made;
    instance = new Registry;
  }
  return *instance;
}

void Use() {
  work(0, 1500);
  for (int i = 0; i < 3; ++i) {
    if (Get().entries != 0) abort();
    work(5, 20);
  }
}

}  // namespace

int main() {
  std::thread one(Use);
  std::thread two(Use);
  one.join();
  two.join();
  return made == 1 ? 0 : 1;
}
