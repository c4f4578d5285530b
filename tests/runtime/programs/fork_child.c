// A child of fork leaves control: it locks, allocates, makes threads of its own
// and ends as it likes, and the parent's execution goes on undisturbed.
//
// EXPECT: ended(0)
// REPEATS: replayed

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* in_child(void* unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return (void*)5;
}

static void* work(void* unused) {
  (void)unused;
  char* block = malloc(100);
  strcpy(block, "ours");
  pthread_mutex_lock(&mutex);
  const pid_t child = fork();
  if (child == 0) {
    pthread_mutex_unlock(&mutex);
    pthread_t thread;
    void* result = 0;
    block = realloc(block, 5000);
    if (strcmp(block, "ours") != 0) _exit(1);
    free(block);
    if (pthread_create(&thread, 0, in_child, 0) != 0) _exit(2);
    pthread_join(thread, &result);
    _exit(result == (void*)5 ? 33 : 3);
  }
  int status = 0;
  waitpid(child, &status, 0);
  pthread_mutex_unlock(&mutex);
  free(block);
  return WIFEXITED(status) && WEXITSTATUS(status) == 33 ? 0 : (void*)1;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) {
    void* result;
    pthread_join(threads[i], &result);
    if (result != 0) return 1;
  }
  return 0;
}
