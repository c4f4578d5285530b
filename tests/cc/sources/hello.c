/* A program that touches memory shared by two threads. */
#include <pthread.h>
#include <stdio.h>

static int counter;

static void* add(void* amount) {
  counter += *(int*)amount;
  return NULL;
}

int main(void) {
  int amount = 42;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &amount);
  pthread_join(thread, NULL);
  printf("hello %d\n", counter);
  return 0;
}
