// Mozilla #341323: the script loader, and a document that changes the version.
//
// A compiled script starts with the language version and ends with opcodes
// for that version.
//
// The bug: the compiler reads the loader's version once for the header and
// once more for the body. It may have changed in between.

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
  script->header_version = loader.version;
  unsigned length = 0;
  for (const char* c = text; *c != 0 && length < 11; ++c) {
    if (*c != ' ') script->opcodes[length++] = static_cast<unsigned char>(*c);
  }
  script->opcodes[11] = loader.version >= 170 ? 2 : 1;
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
  loader.version = 170;
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
