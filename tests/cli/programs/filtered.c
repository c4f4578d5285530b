// Allows itself what its own threads need, and is ended for any other system
// call: filtered kill, filtered trap.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ALLOW(name)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##name, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* add(void* unused) {
  for (int i = 0; i < 10; ++i) {
    pthread_mutex_lock(&lock);
    ++sum;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(int argc, char** argv) {
  const unsigned otherwise = argc == 2 && strcmp(argv[1], "trap") == 0
                                 ? SECCOMP_RET_TRAP
                                 : SECCOMP_RET_KILL_PROCESS;
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      ALLOW(read),
      ALLOW(write),
      ALLOW(exit),
      ALLOW(exit_group),
      ALLOW(futex),
      ALLOW(mmap),
      ALLOW(munmap),
      ALLOW(mprotect),
      ALLOW(clone3),
      ALLOW(clone),
      ALLOW(rt_sigaction),
      ALLOW(rt_sigprocmask),
      ALLOW(rt_sigreturn),
      ALLOW(madvise),
      ALLOW(brk),
      ALLOW(rseq),
      ALLOW(set_robust_list),
      ALLOW(fstat),
      ALLOW(newfstatat),
      ALLOW(getrandom),
      BPF_STMT(BPF_RET | BPF_K, otherwise)};
  struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
  pthread_t threads[2];
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return 77;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  printf("%d\n", sum);
  return 0;
}
