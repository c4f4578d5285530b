// Filters its own system calls: what a guard makes beside them would be its
// end.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LET(name)                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter code[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    LET(write),
    LET(exit_group),
    LET(futex),
    LET(exit),
    LET(madvise),
    LET(munmap),
    LET(rt_sigprocmask),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)};

static pthread_barrier_t filtered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long counted, guessed;

static void* worker(void* unused) {
  pthread_barrier_wait(&filtered);  // it has begun, which takes other calls
  pthread_barrier_wait(&filtered);
  for (int i = 0; i < 200; ++i) {
    pthread_mutex_lock(&lock);
    ++counted;
    pthread_mutex_unlock(&lock);
    ++guessed;  // for the guard to be busy with
  }
  return unused;
}

int main(int argc, char** argv) {
  const struct sock_fprog filter = {sizeof(code) / sizeof(*code), code};
  const char* how = argc > 1 ? argv[1] : "";
  pthread_t threads[3];
  pthread_barrier_init(&filtered, 0, 4);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, worker, 0);
  pthread_barrier_wait(&filtered);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (strcmp(how, "seccomp") == 0 &&
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
              &filter) != 0) {
    return 2;
  }
  if (strcmp(how, "prctl") == 0 &&
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    return 2;
  }
  pthread_barrier_wait(&filtered);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  return counted == 600 ? 0 : 3;
}
