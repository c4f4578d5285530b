// runtime/outside/child_programs.h
//
// What the program's children have done beside being there: one that only goes
// on from fork is a part of the test that no schedule controls; one that
// becomes another program, or makes threads, may be what was to be tested, and
// is not under control.
//
// Assumes: a child that nobody has waited for when the program ends may be any.
// Incomplete: where several have ended when one is waited for, the one that is
// looked at may be another than the one that is taken.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_OUTSIDE_CHILD_PROGRAMS_H_
#define FAIRLEAD_RUNTIME_OUTSIDE_CHILD_PROGRAMS_H_

namespace fairlead::rt {

// The child `pid` has ended and has not been waited for.
void NoteEndOfChild(int pid);

// The program ends.
void NoteChildrenLeft();

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_OUTSIDE_CHILD_PROGRAMS_H_
