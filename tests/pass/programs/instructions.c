// Languages: c c++
// Probe: before,after,context,instructions
//
// The instruction count of the thread at each access: the same at every level,
// growing with what was executed in between, through calls as well.

int value;

static int work(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += i * i;
  return sum;
}

int main(void) {
  value = 1;  // fires store, at=1
  value = 2;  // fires store, at=2
  int sum = work(10);
  value = 3;  // fires store, at=57
  if (sum != 285) return 1;
  value = 4;  // fires store, at=60
  return 0;
}
