// instrument/cc/pass_id.h
//
// Which pass this driver was built with: SHA-256 of its file, in hexadecimal
// digits; empty without one. It is here so that the driver's own file differs
// when the pass does: a compiler cache looks at no other.

#ifndef FAIRLEAD_INSTRUMENT_CC_PASS_ID_H_
#define FAIRLEAD_INSTRUMENT_CC_PASS_ID_H_

namespace fairlead::cc {

extern const char kPassId[];

}  // namespace fairlead::cc

#endif  // FAIRLEAD_INSTRUMENT_CC_PASS_ID_H_
