// Has company that nobody controls: a shell by popen, a child by fork, or
// another program in its place; with two threads of its own if asked.

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* Work(void* unused) { return unused; }

static void RunThreads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, Work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

static int Shell(void) {
  FILE* pipe = popen("exit 0", "r");
  return pipe == NULL ? 3 : pclose(pipe);
}

static int Fork(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return waitpid(child, NULL, 0) == child ? 0 : 3;
}

int main(int argc, char** argv) {
  const char* company = argc > 1 ? argv[1] : "";
  if (argc > 2) RunThreads();
  if (strcmp(company, "popen") == 0) return Shell();
  if (strcmp(company, "fork") == 0) return Fork();
  if (strcmp(company, "exec") == 0) execl("/bin/true", "true", NULL);
  return 0;
}
