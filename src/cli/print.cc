#include "cli/print.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/printable.h"
#include "report/colour.h"

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

bool IsSet(const char* variable) {
  const char* value = getenv(variable);
  return value != nullptr && *value != '\0';
}

bool HasColours(FILE* stream) {
  const char* terminal = getenv("TERM");
  return isatty(fileno(stream)) == 1 && !IsSet("NO_COLOR") &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

}  // namespace

void Print(FILE* stream, std::string_view text) {
  Put(stream, Printable(text));
}

void PrintFinding(FILE* stream, std::string_view text) {
  if (HasColours(stream)) {
    Put(stream, report::Coloured(Printable(text)));
  } else {
    Print(stream, text);
  }
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
