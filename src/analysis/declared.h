// analysis/declared.h
//
// What people have declared about the program's data (fact/fact.h), as analyses
// go by it: which fields belong together, which functions are units of work.
// Where nothing is declared, analyses guess. Names are those of the sources:
// Class.field, a variable, Class::Function.

#ifndef FAIRLEAD_ANALYSIS_DECLARED_H_
#define FAIRLEAD_ANALYSIS_DECLARED_H_

#include <set>
#include <string>
#include <vector>

namespace fairlead::analysis {

struct Declared {
  using Names = std::set<std::string>;
  std::vector<Names> sets;      // belong together
  std::vector<Names> not_sets;  // do not, although it might be guessed
  Names units;
  Names not_units;

  bool empty() const {
    return sets.empty() && not_sets.empty() && units.empty() &&
           not_units.empty();
  }

  // Whether what is known of such fields of `set` (a class, or "" for
  // variables) may be told.
  bool MayTell(const std::string& set, const Names& fields) const {
    Names names;
    bool declared = false;
    for (const std::string& field : fields) {
      names.insert(set.empty() ? field : set + "." + field);
    }
    for (const Names& not_set : not_sets) {
      if (IsIn(names, not_set)) return false;
    }
    for (const Names& each : sets) {
      if (IsIn(names, each)) return true;
      for (const std::string& name : each) {
        declared |= !set.empty() && name.starts_with(set + ".");
      }
    }
    return !declared;
  }

 private:
  static bool IsIn(const Names& names, const Names& set) {
    for (const std::string& name : names) {
      if (!set.contains(name)) return false;
    }
    return true;
  }
};

}  // namespace fairlead::analysis

#endif  // FAIRLEAD_ANALYSIS_DECLARED_H_
