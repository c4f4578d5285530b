// EXPECT: overflow
// Lines are collected in a buffer inside of the log's structure; the check of
// its fill and the copy are not one step.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_SIZE 40
struct log {
  int fd;
  size_t used;
  char buffer[LOG_SIZE];
  void (*flush)(struct log*);
  size_t flushed;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void flush(struct log* log) {
  log->flushed += log->used;
  log->used = 0;
}

static void log_line(struct log* log, const char* line) {
  size_t length = strlen(line);
#ifdef FIXED
  pthread_mutex_lock(&lock);
#endif
  if (log->used + length > LOG_SIZE) log->flush(log);
  memcpy(log->buffer + log->used, line, length);
  log->used += length;
#ifdef FIXED
  pthread_mutex_unlock(&lock);
#endif
}

static struct log logfile = {.flush = flush};

static void* request(void* arg) {
  log_line(&logfile, arg);
  return NULL;
}

int main(void) {
  log_line(&logfile, "[start]");
  pthread_t a, b;
  pthread_create(&a, NULL, request, "GET /index.html HTTP/1.1\n");
  pthread_create(&b, NULL, request, "GET /logo.png\n");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_mutex_lock(&lock);
  logfile.flush(&logfile);
  pthread_mutex_unlock(&lock);
  printf("%zu\n", logfile.flushed);
  return 0;
}
