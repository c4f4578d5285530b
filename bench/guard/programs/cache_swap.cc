// R-R | W: two reads of a version are meant to agree; both are one accessor.
#include <cstdlib>
#include <thread>

#include "jitter.h"

namespace {

struct Table {
  int version = 1;
  int Version() const { return version; }
};
Table table;
volatile bool stop = false;

void Query() {
  for (int i = 0; i < 2; ++i) {
    work(300, 2500);
    const int planned = table.Version();
    work(0, 6);
    const int executed = table.Version();
    if (planned != executed) exit(1);
  }
}

void Alter() {
  for (int i = 0; i < 2; ++i) {
    work(500, 5000);
    table.version = table.version + 1;
  }
}

}  // namespace

int main() {
  std::thread one(Query);
  std::thread two(Alter);
  one.join();
  two.join();
  return 0;
}
