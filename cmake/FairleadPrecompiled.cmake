# Headers that are precompiled: most of the time of a build from nothing goes to
# reading the same ones again.  Sources include what they use all the same, and
# builds without this show it.
#
#   fairlead_precompile(NAME headers...)   for the sources of one target
#   fairlead_precompile_hosted(NAMES...)   the vocabulary of code outside the
#                                          program, precompiled once for all
#                                          these libraries
#
# Off under a compiler launcher: ccache does not keep what was compiled with
# precompiled headers.

if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(FAIRLEAD_PRECOMPILE "Precompile headers" ${precompile})

set(FAIRLEAD_HOSTED_HEADERS
    <algorithm>
    <array>
    <chrono>
    <cstdint>
    <expected>
    <filesystem>
    <functional>
    <map>
    <memory>
    <optional>
    <set>
    <span>
    <string>
    <string_view>
    <unordered_map>
    <utility>
    <variant>
    <vector>
    <fmt/format.h>
    <nlohmann/json.hpp>)

function(fairlead_precompile name)
  if(FAIRLEAD_PRECOMPILE)
    target_precompile_headers(${name} PRIVATE ${ARGN})
  endif()
endfunction()

function(fairlead_precompile_hosted first)
  fairlead_precompile(${first} ${FAIRLEAD_HOSTED_HEADERS})
  foreach(name ${ARGN})
    if(FAIRLEAD_PRECOMPILE AND TARGET ${name})
      target_precompile_headers(${name} REUSE_FROM ${first})
    endif()
  endforeach()
endfunction()
