# One option builds a CMake project with our compilers, and leaves it as it is:
#
#   cmake -B build-fairlead -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=…/fairlead.cmake
#
# from CMake 3.24 on; before that, the same file as CMAKE_TOOLCHAIN_FILE.
# Configure into a directory of its own: a compiler is chosen once.

if(NOT CMAKE_C_COMPILER)
  set(CMAKE_C_COMPILER "${CMAKE_CURRENT_LIST_DIR}/../../../bin/fairlead-cc")
endif()
if(NOT CMAKE_CXX_COMPILER)
  set(CMAKE_CXX_COMPILER "${CMAKE_CURRENT_LIST_DIR}/../../../bin/fairlead-c++")
endif()
