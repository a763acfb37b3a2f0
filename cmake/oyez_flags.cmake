# SPDX-License-Identifier: Apache-2.0
# Compiler flags that everything of ours is built with: the interface library oyez_flags. Generated
# code gets the language and the sanitizers, but not our warnings: oyez_flags_generated.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# The release is O2, not CMake's O3, and without assertions; a debug build keeps them and is fast
# enough for the whole test suite.
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

# The shared library of a release is optimized as a whole, which saves an eighth of a call's
# instructions. Only with gcc, whose objects can hold machine code as well: the static library and
# the tests use that. Warnings of the link step are about functions that were inlined into each
# other; whatever is wrong in a file was said when it was compiled.
option(OYEZ_LTO "A release is optimized at link time, too (gcc)" ON)
if(OYEZ_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  set(oyez_lto_compile
    "$<$<CONFIG:Release>:-flto=auto;-ffat-lto-objects;-fno-semantic-interposition>")
  set(oyez_lto_link "$<$<CONFIG:Release>:-flto=auto;-fno-semantic-interposition;-w>")
  set(oyez_lto_off "$<$<CONFIG:Release>:-fno-lto>")
endif()

add_library(oyez_flags_generated INTERFACE)
add_library(oyez_flags INTERFACE)
target_link_libraries(oyez_flags INTERFACE oyez_flags_generated)
target_include_directories(oyez_flags INTERFACE
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
target_compile_options(oyez_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wvla
  -Wstrict-prototypes -Wmissing-prototypes
  $<$<BOOL:${OYEZ_WERROR}>:-Werror>)

set(oyez_sanitizers "${OYEZ_SANITIZE}")
if(OYEZ_LIBFUZZER)
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "OYEZ_LIBFUZZER needs clang: use -DCMAKE_C_COMPILER=clang-19")
  endif()
  if(NOT oyez_sanitizers)
    set(oyez_sanitizers "address,undefined")
  endif()
  target_compile_options(oyez_flags_generated INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(oyez_sanitizers)
  target_compile_options(oyez_flags_generated INTERFACE
    "-fsanitize=${oyez_sanitizers}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(oyez_flags_generated INTERFACE "-fsanitize=${oyez_sanitizers}")
endif()
