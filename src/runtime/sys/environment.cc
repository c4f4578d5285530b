#include "runtime/sys/environment.h"

#include <string.h>

namespace fairlead::rt {
namespace {

constexpr char kLibraryFile[] = "libfairlead_rt.so";
constexpr char kPreload[] = "LD_PRELOAD";

bool IsSeparator(char c) { return c == ':' || c == ' '; }

// Whether the path [begin, end) names this library.
bool IsOurs(const char* begin, const char* end) {
  const size_t length = sizeof(kLibraryFile) - 1;
  if (static_cast<size_t>(end - begin) < length) return false;
  const char* file = end - length;
  if (file != begin && file[-1] != '/') return false;
  return memcmp(file, kLibraryFile, length) == 0;
}

}  // namespace

char* FindVariable(char** environment, const char* name) {
  const size_t length = strlen(name);
  for (; *environment != nullptr; ++environment) {
    if (strncmp(*environment, name, length) == 0 &&
        (*environment)[length] == '=') {
      return *environment + length + 1;
    }
  }
  return nullptr;
}

void RemoveVariable(char** environment, const char* name) {
  const size_t length = strlen(name);
  char** kept = environment;
  for (; *environment != nullptr; ++environment) {
    if (strncmp(*environment, name, length) == 0 &&
        (*environment)[length] == '=') {
      continue;
    }
    *kept++ = *environment;
  }
  *kept = nullptr;
}

void RemoveFromPreload(char** environment) {
  char* value = FindVariable(environment, kPreload);
  if (value == nullptr) return;
  char* out = value;
  for (char* in = value; *in != '\0';) {
    char* end = in;
    while (*end != '\0' && !IsSeparator(*end)) ++end;
    if (end != in && !IsOurs(in, end)) {
      if (out != value) *out++ = ':';
      memmove(out, in, static_cast<size_t>(end - in));
      out += end - in;
    }
    in = *end == '\0' ? end : end + 1;
  }
  *out = '\0';
  if (out == value) RemoveVariable(environment, kPreload);
}

}  // namespace fairlead::rt
