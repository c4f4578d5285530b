#include "runtime/thread/thread.h"

namespace fairlead::rt {

constinit Thread* main_thread = nullptr;
constinit thread_local Thread* tls_self = nullptr;
constinit thread_local bool tls_known = false;

}  // namespace fairlead::rt
