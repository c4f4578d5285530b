// tests/pass/probe/open.cc
//
// Opens shared objects, so that a preloaded probe sees them and writes their
// tables. Nothing in them is called; symbols they miss stay missing.

#include <dlfcn.h>

#include <cstdio>

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (dlopen(argv[i], RTLD_LAZY | RTLD_LOCAL) == nullptr) {
      std::fprintf(stderr, "probe_open: %s\n", dlerror());
      return 1;
    }
  }
  return 0;
}
