// Changes what the kernel keeps for one thread alone, as the argument says;
// main must not notice.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char* how;

static int filter(long flags) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getuid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 77),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {4, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
}

static void* change(void* unused) {
  long result = -1;
  if (strcmp(how, "files") == 0) {
    result = unshare(CLONE_FILES);
    close(1);
  }
  if (strcmp(how, "filter") == 0) result = filter(0);
  if (strcmp(how, "filters") == 0) {
    result = filter(SECCOMP_FILTER_FLAG_TSYNC);
  }
  if (strcmp(how, "user") == 0) {
    result = syscall(SYS_setresuid, -1, geteuid(), -1);
  }
  static char failed;
  return result == 0 ? unused : &failed;
}

int main(int argc, char** argv) {
  how = argc > 1 ? argv[1] : "filters";
  pthread_t thread;
  void* failed;
  pthread_create(&thread, 0, change, 0);
  pthread_join(thread, &failed);
  if (failed != 0) return 2;
  if (strcmp(how, "filters") != 0 && syscall(SYS_getuid) == -1) return 3;
  return write(1, "", 0) == 0 ? 0 : 4;
}
