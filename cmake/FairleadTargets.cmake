# How rooms declare what they build.
#
#   fairlead_library(NAME sources... [LIBS targets...])
#       a static library; an INTERFACE library when it has no sources
#   fairlead_plugin(NAME sources... [LIBS targets...])
#       a library that is loaded and never linked: lib/fairlead/lib<NAME>.so;
#       part of the target `product`
#   fairlead_executable(NAME sources... [LIBS targets...])
#       a program in bin/, part of the target `product`
#   fairlead_test(NAME SOURCES sources... [LIBS targets...] [UNTRUSTED])
#       a GoogleTest program whose cases CTest lists one by one; UNTRUSTED if it
#       is about reading what others wrote: part of the target `untrusted_tests`
#       and of the label `untrusted`, which scripts/test runs under ASan
#   fairlead_script_test(NAME COMMAND command... [ENVIRONMENT a=b...])
#       a command that passes by exiting with 0
#
# `product` is what gets installed, and nothing else: no tests, no zoo.
#
# All see src/ as the root of includes: #include "abi/site.h".
#
# `fairlead_inprogram` is the profile of code that runs inside the program
# under test (abi, sched, runtime, guard): link it privately to the library.

find_package(Threads REQUIRED)

add_custom_target(product)
add_custom_target(untrusted_tests)

function(_fairlead_split prefix)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  set(${prefix}_sources ${arg_SOURCES} ${arg_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  set(${prefix}_libs ${arg_LIBS} PARENT_SCOPE)
endfunction()

function(fairlead_library name)
  _fairlead_split(it ${ARGN})
  if(it_sources)
    add_library(${name} STATIC ${it_sources})
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${name} ${scope} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} ${scope} ${it_libs})
endfunction()

function(fairlead_plugin name)
  _fairlead_split(it ${ARGN})
  add_library(${name} MODULE ${it_sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE fairlead_unsanitized ${it_libs})
  set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY
                                           ${FAIRLEAD_PLUGIN_OUTPUT_DIRECTORY})
  install(TARGETS ${name} DESTINATION lib/fairlead)
  add_dependencies(product ${name})
endfunction()

function(fairlead_executable name)
  _fairlead_split(it ${ARGN})
  add_executable(${name} ${it_sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${it_libs})
  add_dependencies(product ${name})
endfunction()

function(fairlead_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNTRUSTED" "" "SOURCES;LIBS")
  _fairlead_split(it ${arg_UNPARSED_ARGUMENTS} SOURCES ${arg_SOURCES} LIBS
                  ${arg_LIBS})
  add_executable(${name} ${it_sources})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${it_libs} GTest::gmock_main)
  # Test programs stay out of bin/, which is what gets installed.
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                           ${CMAKE_CURRENT_BINARY_DIR})
  set(labels)
  if(arg_UNTRUSTED)
    add_dependencies(untrusted_tests ${name})
    set(labels PROPERTIES LABELS untrusted)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 ${labels})
endfunction()

function(fairlead_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;ENVIRONMENT")
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

add_library(fairlead_inprogram INTERFACE)
target_compile_options(
  fairlead_inprogram
  INTERFACE
    -fno-exceptions
    -fno-rtti
    -fno-threadsafe-statics
    -fno-stack-protector
    -fno-sanitize=all
    -fvisibility=hidden
    -fvisibility-inlines-hidden
    # Preloaded libraries have static TLS; the other models may call malloc.
    -ftls-model=initial-exec
    -U_FORTIFY_SOURCE
    # valgrind of Debian 12 gives up on a library with a later version.
    -gdwarf-4
    -Werror=global-constructors
    -Werror=exit-time-destructors)
# clang++ names libm and libgcc_s on every link line, -nostdlib++ or not.
target_link_options(fairlead_inprogram INTERFACE -nostdlib++ -Wl,--as-needed
                    -Wl,-z,defs -fno-sanitize=all)
