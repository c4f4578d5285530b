#include "base/short_name.h"

#include <gtest/gtest.h>

namespace fairlead {
namespace {

TEST(ShortName, IsWhatPeopleWrite) {
  struct Case {
    const char* name;
    const char* wanted;
  };
  for (const Case& each : {
           Case{"main", "main"},
           Case{"Shop::Sell(std::__cxx11::basic_string<char, "
                "std::char_traits<char>, std::allocator<char> > const&)",
                "Shop::Sell(std::string const&)"},
           Case{"(anonymous namespace)::Pool<std::function<void ()> >::Run()",
                "Pool<…>::Run()"},
           Case{"Stack<int>::Pop()", "Stack<int>::Pop()"},
           Case{"operator<<(Log&, int)", "operator<<(Log&, int)"},
           Case{"bool operator<(Key const&, Key const&)",
                "bool operator<(Key const&, Key const&)"},
           Case{"Pair<Key, Value>::operator->() const",
                "Pair<Key, Value>::operator->() const"},
           Case{"Sort<&Less, std::vector<int> >(int)", "Sort<…>(int)"},
           // Cut by somebody.
           Case{"_M_realloc_insert<std::__cxx11::basic_s",
                "_M_realloc_insert<…"},
       }) {
    EXPECT_EQ(ShortName(each.name), each.wanted);
  }
}

TEST(BareName, HasNeitherArgumentsNorParameters) {
  EXPECT_EQ(BareName("emplace_back<std::function<void ()> >"), "emplace_back");
  EXPECT_EQ(BareName("push_back(int)"), "push_back");
  EXPECT_EQ(BareName("operator()(int)"), "operator()");
  EXPECT_EQ(BareName("operator=="), "operator==");
}

}  // namespace
}  // namespace fairlead
