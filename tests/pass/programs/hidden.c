// Languages: c c++
//
// Calls of the C library that keep something for all threads, that lock a
// stream, or that write where the program says.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

char text[16] = "a b", line[16] = "7 seven";
int number;
time_t when;
struct tm day;

void keeps(void) {
  strtok(text, " ");  // fires range-write/8, range-write/2
  getenv("HOME");  // fires range-read/8
  setenv("FL_HIDDEN", "1", 1);  // fires range-write/8
  rand();  // fires range-write/8~relaxed
  gmtime(&when);  // fires range-read/8, range-write/56
  gmtime_r(&when, &day);  // fires range-read/8, range-write/56
}

void locks(FILE* file) {
  fputs("one\n", file);  // fires range-write/1~relaxed
  printf("%s %d\n", line, 2);  // fires range-write/1~relaxed, range-read/8
  fputs_unlocked("x", file);  // fires range-write/1~plain
  fputc('\n', file);  // fires range-write/1~relaxed
}

void writes(void) {
  snprintf(line, sizeof(line), "%.*s", 1, text);  // fires range-write/2, range-read/1
  sscanf("12 six", "%d %15s", &number, line);  // fires range-write/4 x2
  getcwd(line, 0);  // fires range-write/0
}

int main(void) {
  keeps();
  locks(stdout);  // fires load x*
  writes();
  return 0;
}
