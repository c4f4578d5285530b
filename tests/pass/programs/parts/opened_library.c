// The library of opened_later.c.

static int value = 1;

#ifdef __cplusplus
extern "C"
#endif
int touch(void) {  // function none
  value += 2;  // fires load=1, store=3
  return value;  // fires load=3
}
