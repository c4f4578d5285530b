// Somebody outside could answer, and does not: that is no deadlock. The time
// limit ends it, and says who waits for what.
//
// EXPECT: cut
// TEXT: main waits to read from descriptor
// TEXT: which others than this program may serve
// SEEDS: 1
// MILLISECONDS: 200
// REPEATS: no

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "verify.h"

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  VERIFY(bind(listener, (struct sockaddr*)&address, sizeof(address)) == 0);
  VERIFY(listen(listener, 1) == 0);
  accept(listener, 0, 0);
  return 0;
}
