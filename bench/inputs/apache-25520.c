/* Workers that serve a `w` write to the access log of apache-25520. */

#define main specimen
#define serve specimen_serve
#include SPECIMEN
#undef main
#undef serve
#include "service.h"

static unsigned num_written; /* atomic */

static void special(char letter, unsigned worker) {
  char line[kLineSize];
  if (letter != 'w') return;
  const unsigned number = __atomic_fetch_add(&num_written, 1, __ATOMIC_RELAXED);
  const unsigned length = format_line(line, worker, number);
  write_log(&access_log, line, length);
}

static void check(const char* input) {
  unsigned length = 0;
  (void)input;
  flush_log(&access_log);
  for (unsigned i = 0; i < file_size; ++i) length += file[i] == '\n';
  if (length != num_written) zoo_wrong("lines", length, num_written);
}
