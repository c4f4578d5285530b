/* Apache #25520: the buffered writer of the access log.
 *
 * A worker checks that its line fits, copies it behind what is there, and
 * advances the count of used bytes.
 *
 * The bug: nothing makes the three one step. Two lines may land on the same
 * bytes, and the check of one may be outdated by the other.
 */

#include "../zoo.h"

enum { kBufferSize = 96, kFileSize = 1024, kLines = 4, kLineSize = 32 };

struct log {
  char outbuf[kBufferSize];
  unsigned guard; /* behind the buffer: an overflow changes it */
  unsigned outcnt;
};

static struct log access_log = {.guard = 0xfeedface};
static char file[kFileSize];
static unsigned file_size;

static void flush_log(struct log* log) {
  if (file_size + log->outcnt > kFileSize) return;
  memcpy(file + file_size, log->outbuf, log->outcnt);
  file_size += log->outcnt;
  log->outcnt = 0;
}

static void write_log(struct log* log, const char* line, unsigned length) {
  if (log->outcnt + length > kBufferSize) flush_log(log);
  memcpy(&log->outbuf[log->outcnt], line, length);
  log->outcnt += length;
}

static unsigned format_line(char* line, unsigned worker, unsigned number) {
  return (unsigned)snprintf(line, kLineSize, "w%u GET /p%u 200\n", worker,
                            number);
}

static void* serve(void* argument) {
  const unsigned worker = *(const unsigned*)argument;
  char line[kLineSize];
  zoo_start();
  zoo_device(worker * 20000);
  for (unsigned number = 0; number < kLines; ++number) {
    zoo_compute(3000, number);
    const unsigned length = format_line(line, worker, number);
    write_log(&access_log, line, length);
  }
  return NULL;
}

static int found(const char* line, unsigned length) {
  for (unsigned at = 0; at + length <= file_size; ++at) {
    if (memcmp(file + at, line, length) == 0) return 1;
  }
  return 0;
}

int main(void) {
  unsigned workers[2] = {0, 1};
  char line[kLineSize];
  long num_found = 0;
  zoo_threads(2);
  const pthread_t one = zoo_spawn(serve, &workers[0]);
  const pthread_t two = zoo_spawn(serve, &workers[1]);
  zoo_join(one);
  zoo_join(two);
  flush_log(&access_log);
  if (access_log.guard != 0xfeedface) zoo_wrong("overflows", 1, 0);
  for (unsigned worker = 0; worker < 2; ++worker) {
    for (unsigned number = 0; number < kLines; ++number) {
      const unsigned length = format_line(line, worker, number);
      num_found += found(line, length);
    }
  }
  if (num_found != 2 * kLines) zoo_wrong("lines", num_found, 2 * kLines);
  return 0;
}
