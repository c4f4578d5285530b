// Languages: c c++
//
// An access through a struct names the struct and the field, at every level;
// the type table describes it. An attribute changes nothing of that.

#include <pthread.h>

struct Inner {  // type Inner size=8
  short small;
  int large;  // field large offset=4 size=4 flags=none
};
struct Account {  // type Account size=136
  char* owner;  // field owner offset=0 size=8 flags=pointer
  const int number;  // field number offset=8 flags=const
  pthread_mutex_t lock;  // field lock offset=16 size=40 flags=lock
  struct Inner inner;  // field inner offset=56 size=8 type=Inner
  int history[8];  // field history offset=64 size=32 flags=array
  unsigned open : 1;  // field open offset=96 flags=bit-field
  unsigned limit : 20;
  double rate;
  long spare[2];
  int marked __attribute__((annotate("user")));  // field marked offset=128 size=4
};
struct Account account = {0, 7};

int touch(struct Account* a, int i) {
  a->owner = 0;  // fires store/8=0@Account.owner // site store flags=pointer
  a->inner.large = 3;  // fires store/4=3@Account.inner
  a->history[i] = 5;  // fires store/4=5@Account.history // site store flags=indexed
  a->limit = 12;  // fires load@Account.open, store@Account.open
  a->rate = 0.5;  // fires store/8=0x3fe0000000000000@Account.rate // site store flags=float
  a->marked = 4;  // fires store/4=4@Account.marked // site store flags=annotated
  return a->number;  // fires load=7@Account.number
}

int main(void) {
  pthread_mutex_lock(&account.lock);
  int number = touch(&account, 2);
  pthread_mutex_unlock(&account.lock);
  return number == 7 ? 0 : 1;
}
