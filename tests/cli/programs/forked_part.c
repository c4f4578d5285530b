// One thread and its children: "exec" has them become another program,
// "threads" has them make threads, "leave" does not wait for them.

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* Nothing(void* argument) { return argument; }

static int Child(const char* way) {
  pthread_t thread;
  if (strcmp(way, "exec") == 0) execl("/bin/true", "true", (char*)0);
  if (strcmp(way, "threads") != 0) return 0;
  return pthread_create(&thread, NULL, Nothing, NULL) != 0 ||
         pthread_join(thread, NULL) != 0;
}

int main(int argc, char** argv) {
  const char* way = argc > 1 ? argv[1] : "";
  for (int i = 0; i < 3; ++i) {
    if (fork() == 0) _exit(Child(way));
  }
  if (strcmp(way, "leave") == 0) return 0;
  int status = 0;
  while (wait(&status) > 0) {
    if (status != 0) return 1;
  }
  return 0;
}
