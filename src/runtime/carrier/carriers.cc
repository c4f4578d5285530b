#include "runtime/carrier/carriers.h"

#include "runtime/carrier/thread_carrier.h"

namespace fairlead::rt {
namespace {

constinit ThreadCarrier thread_carrier;
constinit Carrier* chosen = &thread_carrier;

}  // namespace

abi::CarrierId ChooseCarrier(abi::CarrierId) {
  chosen = &thread_carrier;
  return abi::CarrierId::kThread;
}

Carrier& carrier() { return *chosen; }

}  // namespace fairlead::rt
