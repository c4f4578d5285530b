# What the rooms do not install themselves: the public header, what
# find_package(Fairlead) reads, and the pages.

include(CMakePackageConfigHelpers)

if(EXISTS ${PROJECT_SOURCE_DIR}/include/fairlead)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fairlead DESTINATION include)
endif()

set(package_dir lib/cmake/Fairlead)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/FairleadConfig.cmake.in
  ${PROJECT_BINARY_DIR}/FairleadConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_PREFIX
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/FairleadConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FairleadConfig.cmake
              ${PROJECT_BINARY_DIR}/FairleadConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FairleadExploreTest.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FairleadTest.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FairleadListGTests.cmake
              ${CMAKE_CURRENT_LIST_DIR}/fairlead.cmake
        DESTINATION ${package_dir})

# The pages, laid out as in the source so that their links lead somewhere.
set(doc_dir share/doc/fairlead)
foreach(page README.md CHANGELOG.md CONTRIBUTING.md LICENSE)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${doc_dir})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
        DESTINATION ${doc_dir})
