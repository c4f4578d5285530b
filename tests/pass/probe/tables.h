// tests/pass/probe/tables.h
//
// Writes the tables of an instrumented module as text, one record a line, to
// the file that PROBE_TABLES names: `site`, `function`, `type`, and under a
// type its `field`s and `base`s.

#ifndef FAIRLEAD_TESTS_PASS_PROBE_TABLES_H_
#define FAIRLEAD_TESTS_PASS_PROBE_TABLES_H_

#include "abi/module.h"

namespace fairlead::probe {

// Appends the tables of `module`. Does nothing without PROBE_TABLES.
void WriteTables(const abi::ModuleRecord& module);

}  // namespace fairlead::probe

#endif  // FAIRLEAD_TESTS_PASS_PROBE_TABLES_H_
