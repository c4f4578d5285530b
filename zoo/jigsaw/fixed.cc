// jigsaw: the raw value of a header is made when it is first needed.
//
// The fix: both are written under the header's lock.

#include "../monitor.h"
#include "../zoo.h"

namespace {

struct Header {
  Monitor monitor;
  char raw[32] = "";
  volatile unsigned rlen = 0;
};

Header header;

void Unparse(const char* text) {
  const unsigned length = static_cast<unsigned>(strlen(text));
  Synchronized there(header.monitor);
  for (unsigned i = 0; i <= length; ++i) header.raw[i] = text[i];
  header.rlen = length;
}

struct Client {
  const char* text;
  unsigned delay_us;
};

void* Serve(void* argument) {
  const auto* client = static_cast<Client*>(argument);
  zoo_start();
  zoo_device(client->delay_us);
  zoo_compute(2000, 3);  // parses the request
  Unparse(client->text);
  return nullptr;
}

}  // namespace

int main() {
  Client clients[2] = {{"text/html", 0}, {"image/png;q=1", 20000}};
  zoo_threads(2);
  const pthread_t one = zoo_spawn(Serve, &clients[0]);
  const pthread_t two = zoo_spawn(Serve, &clients[1]);
  zoo_join(one);
  zoo_join(two);
  const long length = static_cast<long>(strlen(header.raw));
  if (header.rlen != length) zoo_wrong("length", header.rlen, length);
  return 0;
}
