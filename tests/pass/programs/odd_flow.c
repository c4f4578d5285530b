// Probe: before,after,frames
//
// Control flow that instrumentation could break: computed goto, a loop left by
// goto, arrays of variable length and alloca in a loop, variable arguments, a
// switch, and a tail call.

#include <alloca.h>
#include <stdarg.h>

int total;

static int sum(int count, ...) {  // fires enter, exit
  va_list list;
  va_start(list, count);
  int result = 0;
  for (int i = 0; i < count; ++i) result += va_arg(list, int);  // fires load x*, store x*
  va_end(list);
  return result;
}

static int interpret(const unsigned char* code) {  // fires enter, exit
  static void* const targets[] = {&&add, &&twice, &&stop};
  int value = 1;
  goto* targets[*code++];  // fires load/1=0
add:
  value += 5;
  total = value;  // fires store=6, store=17
  goto* targets[*code++];  // fires load/1=1, load/1=2
twice:
  value *= 2;
  goto* targets[*code++];  // fires load/1=0
stop:
  return value;
}

static int buffers(int n) {  // fires enter, exit
  int result = 0;
  for (int i = 1; i <= n; ++i) {
    int array[i];
    int* more = (int*)alloca(i * sizeof(int));
    for (int j = 0; j < i; ++j) {
      array[j] = j;
      more[j] = j;  // fires store x10
    }
    result += array[i - 1];
    result += more[i - 1];  // fires load x4
  }
  return result;
}

static int last(int n) {  // fires enter, exit
  return total + n;  // fires load=17
}

static int first(int n) {  // fires enter, exit
  return last(n + 1);
}

int main(void) {  // fires enter, exit
  static const unsigned char code[] = {0, 1, 0, 2};
  return sum(3, 1, 2, 3) == 6 && interpret(code) == 17 && buffers(4) == 12 &&
                 first(2) == 20
             ? 0
             : 1;
}
