# Writes OUTPUT, for CTest: a test for each that PROGRAM lists. LAUNCHER and
# ARGUMENTS are lists. Run by fairlead_discover_gtests().

execute_process(
  COMMAND "${PROGRAM}" --gtest_list_tests
  OUTPUT_VARIABLE listing
  RESULT_VARIABLE result
  TIMEOUT 60)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --gtest_list_tests: ${result}")
endif()

# As words of a CTest file.
function(quote out)
  set(text)
  foreach(word IN LISTS ARGN)
    string(APPEND text " [==[${word}]==]")
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

string(REPLACE ";" "\\;" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
set(script)
set(suite)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "  #.*" "" word "${line}")
  if(word MATCHES "^[^ ]+\\.$")
    set(suite "${word}")
  elseif(word MATCHES "^  ([^ ]+)$" AND suite)
    set(name "${suite}${CMAKE_MATCH_1}")
    if(name MATCHES "(^|[./])DISABLED_")
      continue()
    endif()
    quote(words "${PREFIX}${name}" ${LAUNCHER} "${PROGRAM}"
          "--gtest_filter=${name}" ${ARGUMENTS})
    string(APPEND script "add_test(${words})\n")
    quote(words "${PREFIX}${name}")
    string(APPEND script "set_tests_properties(${words} PROPERTIES "
                         "WORKING_DIRECTORY [==[${DIRECTORY}]==])\n")
  endif()
endforeach()
file(WRITE "${OUTPUT}" "${script}")
