#include "base/file_size_signal.h"

#include <signal.h>

namespace fairlead {
namespace {

void (*given)(int) = SIG_DFL;

}  // namespace

void IgnoreFileSizeSignal() { given = signal(SIGXFSZ, SIG_IGN); }

void GiveBackFileSizeSignal() { signal(SIGXFSZ, given); }

}  // namespace fairlead
