// runtime/carrier/carriers.h
//
// The carrier in use.
//
// Tier: in-program.

#ifndef FAIRLEAD_RUNTIME_CARRIER_CARRIERS_H_
#define FAIRLEAD_RUNTIME_CARRIER_CARRIERS_H_

#include "abi/control.h"
#include "runtime/carrier/carrier.h"

namespace fairlead::rt {

// Makes the carrier that the plan asks for, or, when this system cannot have
// it, the other one, and says so. Returns the one made.
abi::CarrierId ChooseCarrier(abi::CarrierId wanted);

Carrier& carrier();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_CARRIER_CARRIERS_H_
