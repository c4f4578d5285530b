// Shares nothing itself: all that is to be guarded is in a library that it
// opens and closes, again and again.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    void* library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 2;
    sum += ((int (*)(void))dlsym(library, "plugin"))();
    if (argc > 2 && i == 3) {
      puts("open");
      fflush(stdout);
      getchar();
    }
    dlclose(library);
  }
  return sum == 8 ? 0 : 3;
}
