// What the server says of its state: one component for each structure that a
// statement may leave wrong. All annotations of the server are here.

#ifndef ZOO_MINISQL_STATE_H_
#define ZOO_MINISQL_STATE_H_

#include <fairlead/fairlead.h>

#include <string>

namespace minisql::state {

inline constexpr char kQueryCache[] = "query cache";
inline constexpr char kTableCache[] = "table cache";
inline constexpr char kDefinitions[] = "definitions";
inline constexpr char kDataFiles[] = "data files";
inline constexpr char kIndexFiles[] = "index files";
inline constexpr char kKeyCache[] = "key cache";
inline constexpr char kBinaryLog[] = "binary log";

inline void Declare() {
  fairlead_component(kQueryCache, FAIRLEAD_MAP);
  fairlead_component(kTableCache, FAIRLEAD_MULTISET);
  fairlead_component(kDefinitions, FAIRLEAD_SET);
  fairlead_component(kDataFiles, FAIRLEAD_MULTISET);
  fairlead_component(kIndexFiles, FAIRLEAD_MULTISET);
  fairlead_component(kKeyCache, FAIRLEAD_SET);
  fairlead_component(kBinaryLog, FAIRLEAD_SEQUENCE);
}
inline void Add(const char* component, const std::string& element) {
  fairlead_state_add(component, element.data(), element.size());
}
inline void Remove(const char* component, const std::string& element) {
  fairlead_state_remove(component, element.data(), element.size());
}
inline void Put(const char* component, const std::string& key,
                const std::string& value) {
  fairlead_state_put(component, key.data(), key.size(), value.data(),
                     value.size());
}
inline void Append(const char* component, const std::string& element) {
  fairlead_state_append(component, element.data(), element.size());
}

}  // namespace minisql::state

#endif  // ZOO_MINISQL_STATE_H_
