# What the rooms do not install themselves: the public header.

if(EXISTS ${PROJECT_SOURCE_DIR}/include/fairlead)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fairlead DESTINATION include)
endif()
