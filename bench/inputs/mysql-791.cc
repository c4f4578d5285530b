// Workers that serve a `q` execute a statement of mysql-791; an `f` rotates its
// log.

#define main specimen
#include SPECIMEN
#undef main
#include "service.h"

static void special(char letter, unsigned worker) {
  if (letter == 'q') Execute(worker, worker);
  if (letter == 'f') binary_log.Rotate();
}

__attribute__((constructor)) static void OpenLog() { binary_log.Open(); }

static void check(const char* input) {
  unsigned statements = 0;
  for (; *input != 0; ++input) statements += *input == 'q';
  if (binary_log.num_records() != statements) {
    zoo_wrong("records", binary_log.num_records(), statements);
  }
}
