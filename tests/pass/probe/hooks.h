// tests/pass/probe/hooks.h
//
// The probe's hooks, and which of them a module is made to call. PROBE is a
// list of words, separated by commas:
//
//   before, after   sites call the hooks of that name
//   count           sites count and tell nothing else
//   context         functions keep the calling context
//   frames          functions also tell their entries and exits
//   instructions    sites also tell the thread's instruction count
//
// `none`, or no PROBE at all, leaves every mode byte at 0.
// PROBE_ONLY names the one function to watch; the others stay idle.

#ifndef FAIRLEAD_TESTS_PASS_PROBE_HOOKS_H_
#define FAIRLEAD_TESTS_PASS_PROBE_HOOKS_H_

#include "abi/module.h"

namespace fairlead::probe {

// Fills the module's hook table, then its mode bytes as PROBE says.
void Attach(const abi::ModuleRecord& module);

}  // namespace fairlead::probe

#endif  // FAIRLEAD_TESTS_PASS_PROBE_HOOKS_H_
