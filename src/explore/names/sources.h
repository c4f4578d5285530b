// explore/names/sources.h
//
// The source lines that a witness names, read while the files are still those
// that the program was built from.

#ifndef FAIRLEAD_EXPLORE_NAMES_SOURCES_H_
#define FAIRLEAD_EXPLORE_NAMES_SOURCES_H_

#include "explore/names/namer.h"
#include "finding/finding.h"

namespace fairlead::explore {

// By file as places name it, and line. Files are looked for as they are named,
// and from every directory above the program that holds them. What cannot be
// read is left out.
std::map<std::string, std::map<uint32_t, std::string>> SourcesOf(
    const finding::Finding& finding, const Namer& namer);

}  // namespace fairlead::explore

#endif  // FAIRLEAD_EXPLORE_NAMES_SOURCES_H_
