// trace/library_file.h
//
// What people do not want to be shown of where something happened: files of
// libraries, and names that compilers give to bodies of their own making.

#ifndef FAIRLEAD_TRACE_LIBRARY_FILE_H_
#define FAIRLEAD_TRACE_LIBRARY_FILE_H_

#include <string>
#include <string_view>

namespace fairlead::trace {

// Whether a file is a header or a part of a library: nobody looks there for
// bugs of an application's. Our own headers count as such.
bool IsLibraryFile(std::string_view path);

// The name of a function without what compilers put behind it for a body of
// their own making: "Pop.active", "Pop.cold", "Pop(int) (.active.4f)",
// "Pop(int) [clone .idle]".
std::string WithoutClone(std::string_view name);

}  // namespace fairlead::trace

#endif  // FAIRLEAD_TRACE_LIBRARY_FILE_H_
