// Languages: c c++
// Library: parts/opened_library.c
//
// A library that is opened by the running program makes itself known to the
// runtime from its constructor, and fires from its first access on.

#include <dlfcn.h>

int main(int argc, char** argv) {
  void* library = dlopen(argv[argc - 1], RTLD_NOW);  // fires load/8
  if (library == 0) return 1;
  int (*touch)(void) = (int (*)(void))dlsym(library, "touch");
  return touch() == 3 ? 0 : 1;
}
