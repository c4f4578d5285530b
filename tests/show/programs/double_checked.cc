// A table that is made on demand: it is published before it is filled. Fix: the
// last two lines of Get's section change places.
//
// FUNCTIONS: Table::Get Table::Fill

#include <assert.h>

#include <atomic>
#include <mutex>
#include <thread>

class Table {
 public:
  static Table* Get() {
    Table* table = instance.load();  // SHOWS
    if (table != nullptr) return table;
    const std::lock_guard<std::mutex> lock(mutex);
    table = instance.load();
    if (table == nullptr) {
      table = new Table;
      instance.store(table);  // SHOWS
      table->Fill();          // or Fill's line
    }
    return table;
  }

  int At(int i) const { return rows_[i].load(); }  // SHOWS

 private:
  void Fill() {
    for (std::atomic<int>& row : rows_) row.store(7);  // SHOWS
  }

  static std::atomic<Table*> instance;
  static std::mutex mutex;
  std::atomic<int> rows_[4] = {};
};

std::atomic<Table*> Table::instance = nullptr;
std::mutex Table::mutex;

static void Use() { assert(Table::Get()->At(2) == 7); }

int main() {
  std::thread one(Use);
  std::thread other(Use);
  one.join();
  other.join();
  return 0;
}
