# The language, the compiler and the warnings that every target gets.
#
# FAIRLEAD_WERROR     warnings are errors (the presets turn it on)
# FAIRLEAD_SANITIZE   list for -fsanitize=, for code outside the program; what
#                     is loaded into other processes opts out
#                     (`fairlead_inprogram`, `fairlead_unsanitized`)

if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
   OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19
   OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 20)
  message(
    FATAL_ERROR
      "Fairlead is built with clang 19, because its pass is loaded into "
      "clang 19; this is ${CMAKE_CXX_COMPILER_ID} "
      "${CMAKE_CXX_COMPILER_VERSION}. Run scripts/setup, remove the build "
      "directory, then: cmake --preset dev")
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

option(FAIRLEAD_WERROR "Treat warnings as errors" OFF)
set(FAIRLEAD_SANITIZE "" CACHE STRING "Sanitizers for code outside the program")

add_compile_options(
  -Wall
  -Wextra
  -Wshadow
  -Wundef
  -Wvla
  -Wimplicit-fallthrough
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi>)
if(FAIRLEAD_WERROR)
  add_compile_options(-Werror)
endif()

add_library(fairlead_unsanitized INTERFACE)
if(FAIRLEAD_SANITIZE)
  add_compile_options(-fsanitize=${FAIRLEAD_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${FAIRLEAD_SANITIZE})
  target_compile_options(fairlead_unsanitized INTERFACE -fno-sanitize=all)
  target_link_options(fairlead_unsanitized INTERFACE -fno-sanitize=all)
endif()
