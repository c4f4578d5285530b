// Correct programs with std::async, promises that bear exceptions, call_once
// and a static local.
// RACES: none

#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::once_flag once;
std::vector<int> table;

const std::string& Name() {
  static const std::string name = "a name that is too long to be kept inline";
  return name;
}

int Look(int i) {
  std::call_once(once, [] { table = {1, 2, 3, 4}; });
  return table[static_cast<size_t>(i)] + static_cast<int>(Name().size() % 2);
}

int Fail() { throw std::runtime_error("no " + Name()); }

}  // namespace

int main() {
  std::future<int> one = std::async(std::launch::async, Look, 0);
  std::future<int> two = std::async(std::launch::async, Look, 3);
  std::future<int> three = std::async(std::launch::async, Fail);
  int length = 0;
  try {
    three.get();
  } catch (const std::runtime_error& error) {
    length = static_cast<int>(std::string(error.what()).size());
  }
  return one.get() + two.get() + length > 5 ? 0 : 1;
}
