# SPDX-License-Identifier: Apache-2.0
# The libraries that the layers stand on. A dependency counts only when the source file that uses it
# is in the tree and its option is on; so the list in the pkg-config file is exact.
# Result: oyez_dependencies (an interface library), oyez_requires_private (pkg-config modules).

find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

add_library(oyez_dependencies INTERFACE)
target_link_libraries(oyez_dependencies INTERFACE Threads::Threads)
set(oyez_requires_private "")
set(oyez_left_out "") # regular expressions of sources that an option switches off

function(oyez_need module minimum)
  pkg_check_modules(${module} REQUIRED IMPORTED_TARGET "${module}>=${minimum}")
  target_link_libraries(oyez_dependencies INTERFACE PkgConfig::${module})
  set(oyez_requires_private ${oyez_requires_private} "${module} >= ${minimum}" PARENT_SCOPE)
endfunction()

file(GLOB oyez_io_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/io/*.c")
if(oyez_io_sources)
  oyez_need(libuv 1.44)
endif()

if(OYEZ_CARES)
  if(EXISTS "${PROJECT_SOURCE_DIR}/src/io/dns.c")
    oyez_need(libcares 1.18)
  endif()
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_CARES=1)
else()
  list(APPEND oyez_left_out "/src/io/dns[a-z_]*\\.c$")
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_CARES=0)
endif()

if(OYEZ_PROTOBUF_C)
  if(EXISTS "${PROJECT_SOURCE_DIR}/src/call/codec_protobuf_c.c")
    oyez_need(libprotobuf-c 1.4.1)
  endif()
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_PROTOBUF_C=1)
else()
  list(APPEND oyez_left_out "/src/call/codec_protobuf_c[a-z_]*\\.c$")
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_PROTOBUF_C=0)
endif()

if(OYEZ_ZLIB)
  oyez_need(zlib 1.2.11)
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_ZLIB=1)
else()
  list(APPEND oyez_left_out "/src/call/gzip\\.c$")
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_ZLIB=0)
endif()

if(OYEZ_ZSTD STREQUAL "AUTO")
  pkg_check_modules(libzstd QUIET "libzstd>=1.4.0")
  set(oyez_with_zstd ${libzstd_FOUND})
else()
  set(oyez_with_zstd ${OYEZ_ZSTD})
endif()
if(oyez_with_zstd)
  oyez_need(libzstd 1.4.0)
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_ZSTD=1)
else()
  list(APPEND oyez_left_out "/src/call/zstd\\.c$")
  target_compile_definitions(oyez_flags INTERFACE OY_WITH_ZSTD=0)
endif()

if(EXISTS "${PROJECT_SOURCE_DIR}/src/client/service_config.c")
  oyez_need(jansson 2.14)
endif()
