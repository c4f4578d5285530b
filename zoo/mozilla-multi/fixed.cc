// Mozilla: a table of live strings, which the collector compacts.
//
// A string is entered in two steps, since making it takes long: a slot is
// reserved, then filled. What is not in the table is swept.
//
// The fix: the slot is reserved when the string is ready.

#include "../zoo.h"

namespace {

constexpr unsigned kSlots = 12;

struct String {
  unsigned length = 0;
  unsigned* chars = nullptr;
  String* next = nullptr;  // in the list of all strings
};

struct Table {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  String* slots[kSlots] = {};
  unsigned count = 0;
  String* all = nullptr;
};

Table table;
String* kept;  // by the script

String* Make(unsigned length) {
  auto* string = new String;
  string->length = length;
  string->chars = new unsigned[length];
  for (unsigned i = 0; i < length; ++i) string->chars[i] = i;
  return string;
}

unsigned Reserve() {
  pthread_mutex_lock(&table.lock);
  const unsigned slot = table.count++;
  pthread_mutex_unlock(&table.lock);
  return slot;
}

void Fill(unsigned slot, String* string) {
  pthread_mutex_lock(&table.lock);
  table.slots[slot] = string;
  string->next = table.all;
  table.all = string;
  pthread_mutex_unlock(&table.lock);
}

void Enter(unsigned length, String** keep) {
  *keep = Make(length);
  pthread_mutex_lock(&table.lock);
  table.slots[table.count++] = *keep;
  (*keep)->next = table.all;
  table.all = *keep;
  pthread_mutex_unlock(&table.lock);
}

// Takes empty slots out.
void Compact() {
  pthread_mutex_lock(&table.lock);
  unsigned to = 0;
  for (unsigned from = 0; from < table.count; ++from) {
    if (table.slots[from] != nullptr) table.slots[to++] = table.slots[from];
  }
  for (unsigned i = to; i < table.count; ++i) table.slots[i] = nullptr;
  table.count = to;
  pthread_mutex_unlock(&table.lock);
}

bool Listed(const String* string) {
  for (unsigned i = 0; i < table.count; ++i) {
    if (table.slots[i] == string) return true;
  }
  return false;
}

// Frees the strings that are not in the table.
void Sweep() {
  String** at = &table.all;
  while (*at != nullptr) {
    String* string = *at;
    if (Listed(string)) {
      at = &string->next;
      continue;
    }
    *at = string->next;
    delete[] string->chars;
    string->chars = nullptr;
    delete string;
  }
}

void* RunScript(void*) {
  zoo_start();
  Enter(6, &kept);
  return nullptr;
}

void* Collect(void*) {
  zoo_start();
  zoo_device(15000);
  Compact();
  return nullptr;
}

}  // namespace

int main() {
  for (unsigned i = 0; i < 3; ++i) Fill(Reserve(), Make(2));
  zoo_threads(2);
  const pthread_t one = zoo_spawn(RunScript, nullptr);
  const pthread_t two = zoo_spawn(Collect, nullptr);
  zoo_join(one);
  zoo_join(two);
  Sweep();
  unsigned sum = 0;
  for (unsigned i = 0; i < kept->length; ++i) sum += kept->chars[i];
  if (sum != 15) zoo_wrong("sum of the string", sum, 15);
  return 0;
}
