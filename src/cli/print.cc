#include "cli/print.h"

#include <unistd.h>

#include "base/printable.h"

namespace fairlead::cli {
namespace {

bool Put(FILE* stream, std::string_view text) {
  return fwrite(text.data(), 1, text.size(), stream) == text.size();
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

bool PrintAsIs(FILE* stream, std::string_view bytes) {
  return isatty(fileno(stream)) == 1 ? Put(stream, Printable(bytes))
                                     : Put(stream, bytes);
}

}  // namespace fairlead::cli
