// Asynchronous requests for files, one by one and as a list, with a signal,
// with errors; libc has no threads of its own for them.
//
// EXPECT: ended(0)
// PLAIN:  0
// UNCONTROLLED: foreign-threads 0

#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "verify.h"

static int file;

static void await(const struct aiocb* request) {
  const struct aiocb* list[] = {request};
  while (aio_error(request) == EINPROGRESS) aio_suspend(list, 1, 0);
}

static void* put(void* text) {
  struct aiocb request = {.aio_fildes = file,
                          .aio_buf = text,
                          .aio_nbytes = 4,
                          .aio_offset = ((char*)text)[0] == 'a' ? 0 : 4};
  VERIFY(aio_write(&request) == 0);
  await(&request);
  VERIFY(aio_error(&request) == 0 && aio_return(&request) == 4);
  return 0;
}

static void sync_with_signal(void) {
  sigset_t set;
  siginfo_t info;
  sigemptyset(&set);
  sigaddset(&set, SIGRTMIN);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  struct aiocb request = {.aio_fildes = file};
  request.aio_sigevent.sigev_notify = SIGEV_SIGNAL;
  request.aio_sigevent.sigev_signo = SIGRTMIN;
  request.aio_sigevent.sigev_value.sival_int = 7;
  VERIFY(aio_fsync(O_SYNC, &request) == 0);
  VERIFY(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_value.sival_int == 7);
  VERIFY(info.si_code == SI_ASYNCIO && aio_error(&request) == 0);
  VERIFY(aio_fsync(77, &request) == -1 && errno == EINVAL);
}

int main(void) {
  char bytes[2][4];
  // No name: random ones are the same in every execution, also in one beside
  // it.
  file = memfd_create("asynchronous", 0);
  VERIFY(file >= 0);
  pthread_t threads[2];
  pthread_create(&threads[0], 0, put, "aaaa");
  pthread_create(&threads[1], 0, put, "bbbb");
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  sync_with_signal();
  struct aiocb reads[2] = {{.aio_fildes = file, .aio_lio_opcode = LIO_READ},
                           {.aio_fildes = file, .aio_lio_opcode = LIO_READ}};
  struct aiocb* list[3] = {&reads[0], 0, &reads[1]};
  for (int i = 0; i < 2; ++i) {
    reads[i].aio_buf = bytes[i];
    reads[i].aio_nbytes = 4;
    reads[i].aio_offset = 4 * i;
  }
  VERIFY(lio_listio(LIO_WAIT, list, 3, 0) == 0);
  VERIFY(memcmp(bytes, "aaaabbbb", 8) == 0);
  const int only_read = open("/proc/self/exe", O_RDONLY);
  reads[0].aio_fildes = only_read;
  reads[0].aio_lio_opcode = LIO_WRITE;
  VERIFY(lio_listio(LIO_WAIT, list, 3, 0) == -1 && errno == EIO);
  VERIFY(aio_error(&reads[0]) == EBADF && aio_error(&reads[1]) == 0);
  return 0;
}
