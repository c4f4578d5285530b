// runtime/company/openmp.h
//
// libomp leaves a file in /dev/shm while it is in use, named by the process's
// id, and a process that ends without its destructors leaves it for good. Ids
// come around: the next process with this one would find the file, take the
// dead owner's place, and so run another way than its schedule says.
//
// Tier: in-program. Threads: any.

#ifndef FAIRLEAD_RUNTIME_COMPANY_OPENMP_H_
#define FAIRLEAD_RUNTIME_COMPANY_OPENMP_H_

namespace fairlead::rt {

// Takes the file with this process's id away: at the start of an execution,
// when it can only be somebody's who is dead, and at an end without
// destructors.
void ForgetOpenMpFile();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_COMPANY_OPENMP_H_
