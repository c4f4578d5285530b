// Reads from a pipe through a ring of io_uring, while a thread writes to it.
#include <linux/io_uring.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int ends[2];

static void* writes(void* unused) {
  usleep(1000);
  return write(ends[1], "hi", 2) == 2 ? unused : "failed";
}

static char* map(int ring, size_t bytes, off_t offset) {
  return mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
              offset);
}

int main(void) {
  struct io_uring_params params;
  memset(&params, 0, sizeof(params));
  const int ring = (int)syscall(SYS_io_uring_setup, 8, &params);
  if (ring < 0) return 77;
  char* sq = map(ring, params.sq_off.array + params.sq_entries * 4,
                 IORING_OFF_SQ_RING);
  char* cq =
      map(ring,
          params.cq_off.cqes + params.cq_entries * sizeof(struct io_uring_cqe),
          IORING_OFF_CQ_RING);
  struct io_uring_sqe* entry = (struct io_uring_sqe*)map(
      ring, params.sq_entries * sizeof(*entry), IORING_OFF_SQES);
  if (sq == MAP_FAILED || cq == MAP_FAILED || (char*)entry == MAP_FAILED) {
    return 78;
  }
  char room[8] = {0};
  if (pipe(ends) != 0) return 79;
  memset(entry, 0, sizeof(*entry));
  entry->opcode = IORING_OP_READ;
  entry->fd = ends[0];
  entry->addr = (unsigned long)room;
  entry->len = 2;
  unsigned* tail = (unsigned*)(sq + params.sq_off.tail);
  *(unsigned*)(sq + params.sq_off.array) = 0;
  __atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
  pthread_t thread;
  pthread_create(&thread, 0, writes, 0);
  const long done =
      syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, 0, 0);
  printf("%ld %s\n", done, room);
  pthread_join(thread, 0);
  return 0;
}
