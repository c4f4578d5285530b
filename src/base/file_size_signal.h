// base/file_size_signal.h
//
// A limit on the size of files (ulimit -f) is an error of the write for us, not
// the end of the process. Programs that we start, or become, get the signal as
// it was given to us.

#ifndef FAIRLEAD_BASE_FILE_SIZE_SIGNAL_H_
#define FAIRLEAD_BASE_FILE_SIZE_SIGNAL_H_

namespace fairlead {

// Once, at the start.
void IgnoreFileSizeSignal();

// Ahead of execve; may be called between fork and exec.
void GiveBackFileSizeSignal();

}  // namespace fairlead

#endif  // FAIRLEAD_BASE_FILE_SIZE_SIGNAL_H_
