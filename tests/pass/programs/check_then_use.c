// Languages: c c++
//
// `if (p) use(*p)`: two reads of p. Merging them into one, as any optimizer
// does, makes the bug between them vanish.

struct Thing {
  int first, second;
};

struct Thing the_thing = {3, 4};
struct Thing* volatile_in_spirit = &the_thing;

static int use(struct Thing* thing) {
  return thing->second;  // fires load=4@Thing.second x100
}

int check_then_use(void) {
  if (volatile_in_spirit) {  // fires load/8 x100 // site load flags=pointer,feeds-branch
    return use(volatile_in_spirit);  // fires load/8 x100
  }
  return 0;
}

int check_then_read(void) {
  if (volatile_in_spirit)  // fires load/8
    return volatile_in_spirit->first;  // fires load/8, load/4=3@Thing.first
  return 0;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 100; ++i) sum += check_then_use();
  return sum == 400 && check_then_read() == 3 ? 0 : 1;
}
