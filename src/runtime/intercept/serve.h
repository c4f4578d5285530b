// runtime/intercept/serve.h
//
// The fork server inside the program: stands where the program is about to
// begin, and forks a child for each execution that the tool orders through the
// control page (abi::Server). Start-up is paid once; what the program did until
// there, its constructors for example, every child has behind it.
//
// The server itself never goes on: it ends when the tool ends it or dies.
//
// Incomplete: what lies outside the process is not copied: offsets of files
// that constructors opened (standard input is put back), sockets, and children.
//
// Tier: in-program. Threads: the caller holds the turn.

#ifndef FAIRLEAD_RUNTIME_INTERCEPT_SERVE_H_
#define FAIRLEAD_RUNTIME_INTERCEPT_SERVE_H_

#include <stdint.h>

namespace fairlead::rt {

enum class ServerPlace : uint8_t { kStart, kMain };

// If the plan asks for a server at `place`, stands there; returns in each
// child, which is then the execution, ready to go on. Otherwise returns at
// once.
void ServeIfAsked(ServerPlace place);

}  // namespace fairlead::rt

#endif  // FAIRLEAD_RUNTIME_INTERCEPT_SERVE_H_
