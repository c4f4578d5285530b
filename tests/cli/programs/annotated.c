// Says everything about itself that is recorded: requests of a session, changes
// of its state, an atomic set, a unit of work, marks; and has pointers.

#include <fairlead/fairlead.h>

struct account {
  long balance FAIRLEAD_ATOMIC_SET("money");
  struct account* next;
};

static struct account account;

FAIRLEAD_UNIT_OF_WORK static void deposit(struct account* to, long amount) {
  fairlead_unit_begin_on("deposit", to);
  to->balance += amount;
  to->next = 0;
  fairlead_unit_end("deposit");
}

int main(void) {
  const uint64_t session = fairlead_session("ann");
  fairlead_component("accounts", FAIRLEAD_MAP);
  fairlead_atomic_set_add("money", &account, sizeof account);
  fairlead_request_begin(session, 1, "put\0 5", 6);
  deposit(&account, 5);
  fairlead_state_put("accounts", "ann", 3, "5", 1);
  fairlead_state_set("last", "ann", 3);
  fairlead_request_end_status(session, 1, -2, "late", 4);
  fairlead_mark("done", 7);
  fairlead_mark_bytes("\1\0\2", 3, 8);
  return 0;
}
