// finding/slice_met.h
//
// What finding/slice_for.h chooses of the accesses to one object: where two
// actors met, and where one came between two steps of another.

#ifndef FAIRLEAD_FINDING_SLICE_MET_H_
#define FAIRLEAD_FINDING_SLICE_MET_H_

#include <cstddef>
#include <vector>

#include "finding/slice_aba.h"
#include "finding/slice_chosen.h"

namespace fairlead::finding {

// The latest few that met, each with its partner, and what the writers among
// them had read there before. `accesses` are those to one object.
void TakeMeetings(const std::vector<size_t>& accesses, Chosen& chosen);

// The access, and whom it met there: itself or, if nobody came in between,
// through earlier accesses of the same actor. Nothing if it met nobody.
void TakeMeetingOf(size_t access, By by, Chosen& chosen);

// The three steps, what the one in between had read there before, and where a
// check was overtaken, what was done all the same. False: there is no room.
bool TakeBetween(const SliceIndex::Between& between, By by, Chosen& chosen);

void TakeAba(const Aba& aba, Chosen& chosen);

// Where a write would seem to follow from an older look of its actor: the look
// that it does follow from. Else the table would show a lost update that was
// none.
void CompleteLooks(Chosen& chosen);

}  // namespace fairlead::finding

#endif  // FAIRLEAD_FINDING_SLICE_MET_H_
