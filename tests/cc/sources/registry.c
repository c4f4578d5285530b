/* A table that the linker collects, and that only its start keeps alive. */
#include <stdio.h>

struct entry {
  const char* name;
};

#define REGISTER(n) \
  static const struct entry n __attribute__((used, section("registry"))) = {#n}

REGISTER(first);
REGISTER(second);

extern const struct entry __start_registry[], __stop_registry[];

int main(void) {
  printf("%d entries\n", (int)(__stop_registry - __start_registry));
  return 0;
}
