// cli/memo_store.h
//
// A memo (explore/plan/memo.h) from the store and back. Whatever else is known
// across executions goes the same way, under a kind of its own.

#ifndef FAIRLEAD_CLI_MEMO_STORE_H_
#define FAIRLEAD_CLI_MEMO_STORE_H_

#include <string>
#include <vector>

#include "explore/plan/memo.h"
#include "store/store.h"

namespace fairlead::cli {

// The kind that iRoots have in the store (store::MemoKey).
inline constexpr char kIRootMemo[] = "iroot";

// What is given to the program: its arguments without its own name, and what it
// reads as standard input.
uint64_t InputDigest(const std::vector<std::string>& argv,
                     const std::string& stdin_path);

// `program` as store::ProgramName has it. Rows that make no sense are left out.
Result<explore::Memo> LoadMemo(store::Store& store, const std::string& program,
                               uint64_t input);

// The same, with the input that most predictions are of.
Result<explore::Memo> LoadLastMemo(store::Store& store,
                                   const std::string& program);

// Keeps what has changed since the memo was loaded or kept.
Status KeepMemo(explore::Memo& memo, store::Store& store,
                const std::string& program, uint64_t input);

}  // namespace fairlead::cli

#endif  // FAIRLEAD_CLI_MEMO_STORE_H_
