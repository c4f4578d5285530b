// Mozilla #341323: the script loader, and a document that changes the version.
//
// A compiled script starts with the language version and ends with opcodes
// for that version.
//
// The fix: the compiler reads it once, atomically.

#include "../zoo.h"

namespace {

struct Loader {
  volatile unsigned version = 150;
  unsigned num_pending = 0;
};

struct Script {
  unsigned header_version = 0;
  unsigned char opcodes[12] = {};
};

Loader loader;
Script scripts[3];

void Compile(const char* text, Script* script) {
  const unsigned version = __atomic_load_n(&loader.version, __ATOMIC_RELAXED);
  script->header_version = version;
  unsigned length = 0;
  for (const char* c = text; *c != 0 && length < 11; ++c) {
    if (*c != ' ') script->opcodes[length++] = static_cast<unsigned char>(*c);
  }
  script->opcodes[11] = version >= 170 ? 2 : 1;
}

void* LoadScripts(void*) {
  static const char* const kTexts[] = {"a = b", "f ( a )", "return c"};
  zoo_start();
  for (unsigned i = 0; i < 3; ++i) {
    Compile(kTexts[i], &scripts[i]);
    zoo_compute(1000, i);
  }
  return nullptr;
}

void* OpenDocument(void*) {
  zoo_start();
  zoo_device(15000);  // fetches the page
  __atomic_store_n(&loader.version, 170, __ATOMIC_RELAXED);
  return nullptr;
}

}  // namespace

int main() {
  zoo_threads(2);
  const pthread_t one = zoo_spawn(LoadScripts, nullptr);
  const pthread_t two = zoo_spawn(OpenDocument, nullptr);
  zoo_join(one);
  zoo_join(two);
  for (const Script& script : scripts) {
    const unsigned body = script.opcodes[11] == 2 ? 170 : 150;
    if (script.header_version != body) {
      zoo_wrong("version of the header", script.header_version, body);
    }
  }
  return 0;
}
