# SPDX-License-Identifier: Apache-2.0
# What `make install` gives: headers, both libraries, the plug-in, the tool, the pkg-config file and
# the CMake package with oyez::oyez and oyez_generate().

if(NOT oyez_layers)
  return()
endif()
include(CMakePackageConfigHelpers)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/oyez" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h")
install(TARGETS oyez_shared EXPORT oyezTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS oyez_static EXPORT oyezTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(program protoc-gen-oyez oyez_tool)
  if(TARGET ${program})
    install(TARGETS ${program} EXPORT oyezTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
if(TARGET oyez_tool)
  set_target_properties(oyez_tool PROPERTIES EXPORT_NAME oyez-tool)
endif()

list(JOIN oyez_requires_private ", " oyez_pc_requires)
configure_file("${PROJECT_SOURCE_DIR}/cmake/liboyez.pc.in" "${PROJECT_BINARY_DIR}/lib/liboyez.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/lib/liboyez.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

string(REPLACE " >= " ">=" oyez_private_modules "${oyez_requires_private}")
list(JOIN oyez_private_modules " " oyez_private_modules)
set(oyez_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/oyez")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/oyezConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/cmake/oyezConfig.cmake" INSTALL_DESTINATION "${oyez_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/oyezConfigVersion.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/cmake/oyezConfig.cmake"
  "${PROJECT_BINARY_DIR}/cmake/oyezConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/oyez_generate.cmake"
  DESTINATION "${oyez_package_dir}")
install(EXPORT oyezTargets NAMESPACE oyez:: DESTINATION "${oyez_package_dir}")
