// base/short_name.h
//
// Names of C++ functions as their authors write them: std::string in place of
// what it stands for, no namespaces without a name, long template arguments
// and parameters left out in the middle, marks of ABI versions gone.

#ifndef FAIRLEAD_BASE_SHORT_NAME_H_
#define FAIRLEAD_BASE_SHORT_NAME_H_

#include <string>
#include <string_view>

namespace fairlead {

// "std::map<…>::find(int)", "Shop::Sell(std::string const&)".
std::string ShortName(std::string_view function);

// "push_back" of "push_back<…>(int)": the name alone.
std::string BareName(std::string_view function);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_SHORT_NAME_H_
