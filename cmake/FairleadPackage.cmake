# The Debian package: `scripts/package`, or `cpack` in the build tree once the
# target `product` is built.
#
# It depends on what an installed Fairlead runs (`use` in scripts/packages.txt)
# and on the libraries that its parts are linked to, not on what builds us.

# `cpack` would build `all`, tests included, before it installs.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# The packages of one role of scripts/packages.txt, joined for a Debian field.
function(_fairlead_packages role result)
  set(list ${PROJECT_SOURCE_DIR}/scripts/packages.txt)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^[^# ]+ +${role}( |$)")
  list(TRANSFORM lines REPLACE " .*" "")
  list(JOIN lines ", " names)
  set(${result} "${names}" PARENT_SCOPE)
endfunction()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fairlead)
set(CPACK_PACKAGE_CONTACT "The Fairlead authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)

_fairlead_packages(use CPACK_DEBIAN_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gdb, libclang-rt-19-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "valgrind")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/fairlead
        RENAME copyright)

include(CPack)
