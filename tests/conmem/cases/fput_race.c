// EXPECT: dangling
// A descriptor table hands out a file without taking a reference: close frees
// it while an ioctl is still at work on it.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILES 8

struct file {
  int count;
  uint32_t mode;
  char name[32];
  uint64_t position;
};

static struct file* table[MAX_FILES];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

static int file_open(const char* name) {
  struct file* file = malloc(sizeof *file);
  file->count = 1;
  file->mode = 0644;
  file->position = 0;
  snprintf(file->name, sizeof file->name, "%s", name);
  pthread_mutex_lock(&table_lock);
  int fd = 0;
  while (table[fd] != NULL) ++fd;
  table[fd] = file;
  pthread_mutex_unlock(&table_lock);
  return fd;
}

static struct file* fget(int fd) {
  pthread_mutex_lock(&table_lock);
  struct file* file = table[fd];
#ifdef FIXED
  if (file != NULL) ++file->count;
#endif
  pthread_mutex_unlock(&table_lock);
  return file;
}

static void fput(struct file* file) {
  pthread_mutex_lock(&table_lock);
  const int left = --file->count;
  pthread_mutex_unlock(&table_lock);
  if (left == 0) free(file);
}

static int file_close(int fd) {
  pthread_mutex_lock(&table_lock);
  struct file* file = table[fd];
  table[fd] = NULL;
  pthread_mutex_unlock(&table_lock);
  if (file == NULL) return -1;
  fput(file);
  return 0;
}

static int file_seek(int fd, uint64_t to) {
  struct file* file = fget(fd);
  if (file == NULL) return -1;
  if (file->mode & 0400) file->position = to;
#ifdef FIXED
  fput(file);
#endif
  return 0;
}

static void* ioctl_thread(void* arg) {
  const int fd = *(int*)arg;
  for (int i = 0; i < 4; ++i) file_seek(fd, (uint64_t)i * 512);
  return NULL;
}

static void* close_thread(void* arg) {
  file_close(*(int*)arg);
  return NULL;
}

int main(void) {
  int fd = file_open("/dev/thing");
  pthread_t a, b;
  pthread_create(&a, NULL, ioctl_thread, &fd);
  pthread_create(&b, NULL, close_thread, &fd);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
