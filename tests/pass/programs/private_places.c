// Languages: c c++
//
// Nobody else can reach a local whose address stays in its function, or change
// a constant: no sites, at -O0 either. What escapes is shared.

static const int table[4] = {1, 2, 3, 4};
const char* text = "text";
int* leaked;

struct Pair {
  int a, b;
};

int sum(int n) {
  int local = 0;
  struct Pair pair = {1, 2};
  int array[4];
  for (int i = 0; i < 4; ++i) array[i] = i + n;
  for (int i = 0; i < 4; ++i) local += array[i] + table[i];
  return local + pair.a + pair.b;
}

// Before locals are promoted, an address kept in another local counts as
// escaped: a site too many is the safe side.
int parked(void) {
  int local = 1;  // fires store=1
  int* pointer = &local;
  return *pointer;  // fires load=1
}

int escapes(void) {
  int local = 1;  // fires store=1
  leaked = &local;  // fires store/8
  *leaked = 2;  // fires load/8, store=2
  return local;  // fires load=2
}

// However often it is used: 1,024 times here.
#define FOUR(statement) statement statement statement statement
#define MANY(statement) FOUR(FOUR(FOUR(FOUR(FOUR(statement)))))

int used_often(int n) {
  int local = 0;
  MANY(local += n;)
  return local;
}

int leaks_at_last(int n) {
  int local = 0;  // fires store=0
  MANY(n++;)
  leaked = &local;  // fires store/8
  return n;
}

int main(void) {
  if (used_often(1) != 1024 || leaks_at_last(1) != 1025) return 1;
  const char c = text[0];  // fires load/8, load/1=116
  return sum(1) > 0 && escapes() == 2 && parked() == 1 && c == 't' ? 0 : 1;
}
