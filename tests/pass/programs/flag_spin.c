// Languages: c c++
//
// A thread waits for a flag. Natively the optimizer may read the flag once and
// spin for ever; instrumented, each turn reads it. The probe stands in for the
// other thread and sets the flag ahead of the seventh read.

#ifdef __cplusplus
extern "C" {
#endif
char* getenv(const char*);
void probe_before(const char* function, unsigned nth);
#ifdef __cplusplus
}
#endif

int flag;

__attribute__((disable_sanitizer_instrumentation)) void probe_before(
    const char* function, unsigned nth) {
  if (function[0] == 'w' && nth == 7) flag = 1;
}

void wait_for_flag(void) {
  while (!flag) {}  // fires load/4=0 x6, load/4=1 x1 // site load flags=feeds-branch
}

int main(void) {
  if (getenv("PROBE") != 0) wait_for_flag();  // fires range-read/8 x*
  return 0;
}
