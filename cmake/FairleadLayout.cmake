# The build tree has the layout of the install tree, so that every part finds
# its neighbours the same way in both:
#
#   bin/             fairlead, fairlead-cc, fairlead-c++
#   lib/fairlead/    libfairlead_pass.so, libfairlead_rt.so: loaded, not linked
#   include/         fairlead/fairlead.h (a link to the source's, when building)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(FAIRLEAD_PLUGIN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/fairlead)

file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include
     SYMBOLIC)
