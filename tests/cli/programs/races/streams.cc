// Threads print to the standard streams, directly and through a reference: the
// language says that it is no race.
// RACES: none

#include <iostream>
#include <thread>

namespace {

void Print(std::ostream& out, const char* name) {
  for (int i = 0; i < 3; ++i) {
    std::cout << name << i << std::endl;
    out << name << i << '\n';
  }
}

}  // namespace

int main() {
  std::thread one([] { Print(std::clog, "one"); });
  std::thread two([] { Print(std::clog, "two"); });
  one.join();
  two.join();
}
