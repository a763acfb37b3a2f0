# SPDX-License-Identifier: Apache-2.0
# The layers, lowest first, and the two libraries made of them. A layer without sources is skipped.
# Results: oyez_layers (those that exist), oyez_sources_<layer>, targets oy_<layer> (objects),
# oyez_layer_<layer> (an archive of them), oyez_shared, oyez_static.

set(oyez_layer_order
  base mem hpack h2 wire io tls stats transport creds call client server inproc services)

# oyez_layer_sources(<layer> <ret_sources> <ret_tests>)
function(oyez_layer_sources layer ret_sources ret_tests)
  set(dir "${PROJECT_SOURCE_DIR}/src/${layer}")
  file(GLOB all CONFIGURE_DEPENDS "${dir}/*.c" "${dir}/*/*.c")
  foreach(pattern IN LISTS oyez_left_out)
    list(FILTER all EXCLUDE REGEX "${pattern}")
  endforeach()
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.c$")
  list(FILTER all EXCLUDE REGEX "_test\\.c$")
  set(${ret_sources} ${all} PARENT_SCOPE)
  set(${ret_tests} ${tests} PARENT_SCOPE)
endfunction()

set(oyez_layers "")
foreach(layer IN LISTS oyez_layer_order)
  oyez_layer_sources(${layer} sources tests)
  if(NOT sources)
    continue()
  endif()
  list(APPEND oyez_layers ${layer})
  add_library(oy_${layer} OBJECT ${sources})
  target_link_libraries(oy_${layer} PRIVATE oyez_flags oyez_dependencies)
  target_compile_options(oy_${layer} PRIVATE ${oyez_lto_compile})
  # The same objects as an archive, for tests: they take what they reach of their own layer and of
  # those below, and nothing that stands above.
  add_library(oyez_layer_${layer} STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:oy_${layer}>)
  set_target_properties(oyez_layer_${layer} PROPERTIES LINKER_LANGUAGE C)
  target_link_options(oyez_layer_${layer} INTERFACE ${oyez_lto_off})
endforeach()

if(NOT oyez_layers)
  message(STATUS "oyez: no layer has sources yet, nothing to build")
  return()
endif()

set(oyez_objects "")
foreach(layer IN LISTS oyez_layers)
  list(APPEND oyez_objects $<TARGET_OBJECTS:oy_${layer}>)
endforeach()

set(oyez_map "${PROJECT_SOURCE_DIR}/src/liboyez.map")
add_library(oyez_shared SHARED ${oyez_objects})
set_target_properties(oyez_shared PROPERTIES
  OUTPUT_NAME oyez VERSION ${PROJECT_VERSION} SOVERSION 0 LINKER_LANGUAGE C EXPORT_NAME oyez)
target_link_options(oyez_shared PRIVATE -Wl,--as-needed -Wl,-z,relro -Wl,-z,now ${oyez_lto_link})
if(NOT oyez_sanitizers)
  target_link_options(oyez_shared PRIVATE -Wl,--no-undefined)
endif()
if(EXISTS "${oyez_map}")
  target_link_options(oyez_shared PRIVATE "-Wl,--version-script=${oyez_map}")
  set_property(TARGET oyez_shared APPEND PROPERTY LINK_DEPENDS "${oyez_map}")
endif()
target_link_libraries(oyez_shared PRIVATE oyez_flags_generated oyez_dependencies)

add_library(oyez_static STATIC ${oyez_objects})
set_target_properties(oyez_static PROPERTIES
  OUTPUT_NAME oyez LINKER_LANGUAGE C EXPORT_NAME oyez-static
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

if(oyez_lto_compile)
  # Its user's compiler may be another one, or of another version, to which the rest means nothing.
  add_custom_command(TARGET oyez_static POST_BUILD VERBATIM COMMAND ${CMAKE_OBJCOPY}
    --wildcard --remove-section=.gnu.lto_* --strip-symbol=__gnu_lto_* $<TARGET_FILE:oyez_static>)
endif()

foreach(kind shared static)
  target_include_directories(oyez_${kind} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
add_library(oyez::oyez ALIAS oyez_shared)
add_library(oyez::oyez-static ALIAS oyez_static)
