# fairlead_add_explore_test(NAME <name> COMMAND <target or program> [args...]
#                           [EXECUTIONS <number>] [TIME <time>]
#                           [OPTIONS <option>...])
#
# A test for CTest that explores: runs the command under `fairlead test`, which
# repeats the closures of fairlead::explore() under one schedule after the
# other, or, in a program that does not call it, main.  The test fails if
# something is found; CTest's log then says how to show and repeat it.  Findings
# are kept in .fairlead/store.db below the current binary directory.
#
#   EXECUTIONS  schedules at most; 20,000 if not given
#   TIME        time at most, as `fairlead test --time` takes it; 30s
#   OPTIONS     further options of `fairlead test`
#
# Without the command `fairlead` (Fairlead_COMMAND) the program is run once, as
# by add_test().

include_guard(GLOBAL)

function(fairlead_add_explore_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;EXECUTIONS;TIME"
                        "COMMAND;OPTIONS")
  if(NOT arg_NAME OR NOT arg_COMMAND OR arg_UNPARSED_ARGUMENTS)
    message(
      FATAL_ERROR
        "fairlead_add_explore_test(NAME <name> COMMAND <program> [args...] "
        "[EXECUTIONS <number>] [TIME <time>] [OPTIONS <option>...])")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  if(NOT arg_EXECUTIONS)
    set(arg_EXECUTIONS 20000)
  endif()
  if(NOT arg_TIME)
    set(arg_TIME 30s)
  endif()
  if(NOT Fairlead_COMMAND)
    add_test(NAME ${arg_NAME} COMMAND ${program} ${arg_COMMAND})
    return()
  endif()
  add_test(
    NAME ${arg_NAME}
    COMMAND
      ${Fairlead_COMMAND} test --executions ${arg_EXECUTIONS} --time ${arg_TIME}
      ${arg_OPTIONS} -- ${program} ${arg_COMMAND}
    WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
endfunction()
