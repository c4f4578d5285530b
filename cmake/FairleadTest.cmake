# fairlead_add_test(NAME <name> COMMAND <target or program> [args...]
#                   [TIME <time>] [OPTIONS <option>...])
#
# A test for CTest that explores the interleavings of a program: runs it under
# `fairlead test`. It fails if something is found; CTest's log then says what, and
# how to show it, repeat it and look at it in a browser.
#
# fairlead_discover_gtests(<target> [TIME <time>] [TEST_PREFIX <prefix>]
#                          [EXTRA_ARGS <args>...] [OPTIONS <option>...])
#
# The same of each test of a GoogleTest target, as gtest_discover_tests() does for
# plain runs: tests are listed when the target has been built, and each is a test of
# CTest. Disabled ones are left out.
#
#   TIME     for each test, as `fairlead test --time` takes it; 10s
#   OPTIONS  further options of `fairlead test`
#
# Findings are kept in .fairlead/store.db below the current binary directory. Without
# the command `fairlead` (Fairlead_COMMAND) programs are run once, as by add_test().

include_guard(GLOBAL)

set(_FAIRLEAD_LIST_GTESTS "${CMAKE_CURRENT_LIST_DIR}/FairleadListGTests.cmake")

# The words ahead of the program, in the variable <out>.
function(_fairlead_launcher out time options)
  set(words)
  if(Fairlead_COMMAND)
    if(NOT time)
      set(time 10s)
    endif()
    set(words ${Fairlead_COMMAND} test --time ${time} ${options} --)
  endif()
  set(${out} ${words} PARENT_SCOPE)
endfunction()

function(fairlead_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIME" "COMMAND;OPTIONS")
  if(NOT arg_NAME OR NOT arg_COMMAND OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fairlead_add_test(NAME <name> COMMAND <program> "
                        "[args...] [TIME <time>] [OPTIONS <option>...])")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  _fairlead_launcher(launcher "${arg_TIME}" "${arg_OPTIONS}")
  add_test(
    NAME ${arg_NAME}
    COMMAND ${launcher} ${program} ${arg_COMMAND}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

function(fairlead_discover_gtests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIME;TEST_PREFIX"
                        "OPTIONS;EXTRA_ARGS")
  if(NOT TARGET ${target} OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "fairlead_discover_gtests(<target> [TIME <time>] "
                        "[TEST_PREFIX <prefix>] [EXTRA_ARGS <args>...] "
                        "[OPTIONS <option>...])")
  endif()
  _fairlead_launcher(launcher "${arg_TIME}" "${arg_OPTIONS}")
  set(tests "${CMAKE_CURRENT_BINARY_DIR}/${target}_fairlead_tests.cmake")
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND
      ${CMAKE_COMMAND} "-DPROGRAM=$<TARGET_FILE:${target}>"
      "-DPREFIX=${arg_TEST_PREFIX}" "-DLAUNCHER=${launcher}"
      "-DARGUMENTS=${arg_EXTRA_ARGS}" "-DDIRECTORY=${CMAKE_CURRENT_BINARY_DIR}"
      "-DOUTPUT=${tests}" -P "${_FAIRLEAD_LIST_GTESTS}"
    BYPRODUCTS "${tests}"
    VERBATIM)
  set(include "${CMAKE_CURRENT_BINARY_DIR}/${target}_fairlead_include.cmake")
  file(WRITE "${include}"
       "if(EXISTS \"${tests}\")\n  include(\"${tests}\")\nelse()\n"
       "  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\nendif()\n")
  set_property(
    DIRECTORY
    APPEND
    PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
