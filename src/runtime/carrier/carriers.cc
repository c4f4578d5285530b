#include "runtime/carrier/carriers.h"

#include "runtime/carrier/fiber_carrier.h"
#include "runtime/carrier/thread_carrier.h"
#include "runtime/carrier/tls.h"
#include "runtime/sys/check.h"
#include "runtime/sys/text.h"

namespace fairlead::rt {
namespace {

constinit FiberCarrier fiber_carrier;
constinit ThreadCarrier thread_carrier;
constinit Carrier* chosen = &thread_carrier;

}  // namespace

abi::CarrierId ChooseCarrier(abi::CarrierId wanted) {
  PrepareTls();
  if (wanted == abi::CarrierId::kFiber) {
    const char* why_not = fiber_carrier.WhyNot();
    if (why_not == nullptr) {
      chosen = &fiber_carrier;
      return abi::CarrierId::kFiber;
    }
    char buffer[256];
    Text text(buffer, sizeof(buffer));
    text.Put(
        "threads are carried by kernel threads, not by fibers, which is "
        "slower: ");
    text.Put(why_not);
    Log(buffer);
  }
  chosen = &thread_carrier;
  return abi::CarrierId::kThread;
}

Carrier& carrier() { return *chosen; }

}  // namespace fairlead::rt
