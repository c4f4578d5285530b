// base/output_place.h
//
// Where what is written to a path goes, found once, before anything is written:
// whoever replaces a link or a directory on the way later changes nothing.
//
//   a file, or nothing yet   a name in a directory that is held open
//   a link                   what it leads to; the link stays. In a directory
//                            that all may write (/tmp) only links of ours or of
//                            the directory's owner are followed, as the kernel
//                            does (proc_sys_fs(5), protected_symlinks)
//   /dev/stdout, /dev/fd/3   our own descriptor, where it stands
//   a device, a pipe         itself, in place

#ifndef FAIRLEAD_BASE_OUTPUT_PLACE_H_
#define FAIRLEAD_BASE_OUTPUT_PLACE_H_

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/file.h"
#include "base/result.h"

namespace fairlead {

struct OutputPlace {
  Fd in_place;                 // open for writing; else the rest says where
  Fd directory;                // of the file
  std::string file;            // path without links in its last part
  std::string name;            // in `directory`
  std::optional<mode_t> mode;  // permissions of the file that is there
};

// Refuses directories, files that we may not write, and pipes without a reader.
Result<OutputPlace> FindOutputPlace(const std::string& path);

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_OUTPUT_PLACE_H_
