#include "cli/print.h"

#include <errno.h>
#include <unistd.h>

#include "base/printable.h"

namespace fairlead::cli {
namespace {

int lost_because = 0;

bool Keep(bool written) {
  if (!written && lost_because == 0) lost_because = errno;
  return written;
}

bool Put(FILE* stream, std::string_view text) {
  return Keep(fwrite(text.data(), 1, text.size(), stream) == text.size());
}

}  // namespace

void Print(FILE* stream, std::string_view text) {
  Put(stream, Printable(text));
}

void PrintJson(FILE* stream, const Json& json) {
  Put(stream, PrintableJson(JsonText(json)));
}

void PrintJsonLine(FILE* stream, const Json& json) {
  const std::string text =
      json.dump(-1, ' ', false, Json::error_handler_t::replace);
  Put(stream, PrintableJson(text) + "\n");
}

bool Flush(FILE* stream) { return Keep(fflush(stream) == 0); }

int LostBecause() { return lost_because; }

bool PrintAsIs(FILE* stream, std::string_view bytes) {
  return isatty(fileno(stream)) == 1 ? Put(stream, Printable(bytes))
                                     : Put(stream, bytes);
}

}  // namespace fairlead::cli
