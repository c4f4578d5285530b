// Languages: c c++
//
// What a loop counts up to, or by, is told from what a loop waits for: by the
// flag `bound`.

int bound = 3, by = 1, turn = 3;
double limit = 3;
int* end;
int numbers[4];

int up_to(void) {
  int rounds = 0;
  for (int i = 0; i < bound; i += by)  // fires load/4=3 x4, load/4=1 x3 // site load flags=feeds-branch,bound // site load flags=feeds-branch,bound
    ++rounds;
  return rounds;
}

int less_one(void) {
  int rounds = 0;
  for (int i = 0; i + 1 < bound - 1; ++i)  // fires load/4=3 x2 // site load flags=feeds-branch,bound
    ++rounds;
  return rounds;
}

int in_steps(void) {
  int rounds = 0;
  for (double at = 0; at < limit; at += 0.5)  // fires load/8 x7 // site load flags=feeds-branch,float,bound
    ++rounds;
  return rounds;
}

int to_an_end(void) {
  int rounds = 0;
  for (int* at = numbers; at != end; ++at)  // fires load/8 x5 // site load flags=pointer,feeds-branch,bound
    ++rounds;
  return rounds;
}

// The counter belongs to the loop around this one.
int wait_for_turns(void) {
  int rounds = 0;
  for (int i = 3; i < 4; ++i) {
    while (turn != i)  // fires load/4=3 // site load flags=feeds-branch
      ++rounds;
  }
  return rounds;
}

int wait_for_zero(void) {
  int rounds = 0;
  while (turn == 0)  // fires load/4=3 // site load flags=feeds-branch
    ++rounds;
  return rounds;
}

// Kept first: nobody knows what becomes of it.
int kept_first(void) {
  int rounds = 0;
  for (int i = 0;; ++i) {
    int now = bound;  // fires load/4=3 x4 // site load flags=feeds-branch
    if (i >= now) break;
    ++rounds;
  }
  return rounds;
}

int main(void) {
  end = numbers + 4;  // fires store
  return up_to() + less_one() + in_steps() + to_an_end() + wait_for_turns() +
                 wait_for_zero() + kept_first() ==
             3 + 1 + 6 + 4 + 0 + 0 + 3
         ? 0
         : 1;
}
