# SPDX-License-Identifier: Apache-2.0
# Everything that is a program: the generator (plugin/), the tool (tools/), the examples, the interop
# programs (tests/interop) and the benchmark programs (bench/). A directory without sources is
# skipped, so a part can arrive later without a change here.

if(NOT oyez_layers)
  return()
endif()

# Generated messages and whoever includes their headers need protobuf-c.
if(OYEZ_PROTOBUF_C)
  pkg_check_modules(oyez_protobuf_c REQUIRED IMPORTED_TARGET "libprotobuf-c>=1.4.1")
endif()

# --- protoc-gen-oyez ----------------------------------------------------------------------------
# plugin/*.c, with the messages that protoc talks in: descriptor.proto and whatever plugin/*.proto
# holds, compiled by protobuf-c itself.
file(GLOB oyez_plugin_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/plugin/*.c")
list(FILTER oyez_plugin_sources EXCLUDE REGEX "_test\\.c$")
set(oyez_have_plugin OFF)
if(OYEZ_PROTOBUF_C AND oyez_plugin_sources)
  set(oyez_have_plugin ON)
  find_program(OYEZ_PROTOC protoc REQUIRED)
  find_program(OYEZ_PROTOC_GEN_C NAMES protoc-gen-c REQUIRED)
  find_path(OYEZ_PROTOBUF_INCLUDE google/protobuf/descriptor.proto REQUIRED)
  set(out "${PROJECT_BINARY_DIR}/plugin-generated")
  file(MAKE_DIRECTORY "${out}")
  file(GLOB_RECURSE plugin_protos CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/plugin"
    "${PROJECT_SOURCE_DIR}/plugin/*.proto")
  list(FILTER plugin_protos EXCLUDE REGEX "test")
  set(generated "")
  foreach(proto IN LISTS plugin_protos ITEMS google/protobuf/descriptor.proto)
    string(REGEX REPLACE "\\.proto$" "" stem "${proto}")
    set(outputs "${out}/${stem}.pb-c.c" "${out}/${stem}.pb-c.h")
    add_custom_command(OUTPUT ${outputs}
      COMMAND "${OYEZ_PROTOC}" "--plugin=protoc-gen-c=${OYEZ_PROTOC_GEN_C}"
        "-I${PROJECT_SOURCE_DIR}/plugin" "-I${OYEZ_PROTOBUF_INCLUDE}" "--c_out=${out}" "${proto}"
      COMMENT "protoc-gen-c ${proto}" VERBATIM)
    list(APPEND generated ${outputs})
  endforeach()
  list(REMOVE_DUPLICATES generated)
  add_library(oyez_plugin_proto STATIC ${generated})
  target_include_directories(oyez_plugin_proto SYSTEM PUBLIC "${out}")
  target_link_libraries(oyez_plugin_proto
    PRIVATE oyez_flags_generated PUBLIC PkgConfig::oyez_protobuf_c)
  add_executable(protoc-gen-oyez ${oyez_plugin_sources})
  target_link_libraries(protoc-gen-oyez PRIVATE oyez_flags oyez_plugin_proto)
  target_include_directories(protoc-gen-oyez PRIVATE "${PROJECT_SOURCE_DIR}/plugin")
  target_compile_definitions(protoc-gen-oyez PRIVATE "OYEZ_PROTOC_GEN_C=\"${OYEZ_PROTOC_GEN_C}\"")
  add_executable(oyez::protoc-gen-oyez ALIAS protoc-gen-oyez)
endif()

# --- the command-line tool: tools/*.c -> oyez ---------------------------------------------------
file(GLOB oyez_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/*.c")
if(oyez_tool_sources)
  add_executable(oyez_tool ${oyez_tool_sources})
  set_target_properties(oyez_tool PROPERTIES OUTPUT_NAME oyez)
  target_link_libraries(oyez_tool PRIVATE oyez_flags oyez_shared)
endif()

# oyez_user_program(<name> <sources...>): a program that sees what a user sees.
function(oyez_user_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE oyez_flags_generated oyez::oyez Threads::Threads)
  target_compile_options(${name} PRIVATE -Wall -Wextra $<$<BOOL:${OYEZ_WERROR}>:-Werror>)
  if(OYEZ_PROTOBUF_C)
    target_link_libraries(${name} PRIVATE PkgConfig::oyez_protobuf_c)
  endif()
endfunction()

# --- examples: every examples/*.c is a program; all share the generated code of examples/*.proto --
file(GLOB oyez_example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
file(GLOB oyez_example_protos CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.proto")
if(oyez_have_plugin AND oyez_example_protos AND (OYEZ_EXAMPLES OR OYEZ_TESTS))
  add_library(oyez_example_protos STATIC)
  target_link_libraries(oyez_example_protos PRIVATE oyez_flags_generated oyez::oyez)
  oyez_generate(TARGET oyez_example_protos PROTOS ${oyez_example_protos}
    IMPORT_DIRS "${PROJECT_SOURCE_DIR}/examples" OUT_DIR "${PROJECT_BINARY_DIR}/generated/examples")
endif()
if(OYEZ_EXAMPLES AND (TARGET oyez_example_protos OR NOT oyez_example_protos))
  foreach(source IN LISTS oyez_example_sources)
    cmake_path(GET source STEM name)
    oyez_user_program(${name} "${source}")
    if(TARGET oyez_example_protos)
      target_link_libraries(${name} PRIVATE oyez_example_protos)
    endif()
  endforeach()
endif()

# --- generated code of grpc.testing, for the interop and benchmark programs -----------------------
file(GLOB_RECURSE oyez_testing_protos CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/proto/grpc/testing/*.proto"
  "${PROJECT_SOURCE_DIR}/proto/xds/*.proto")
file(GLOB oyez_interop_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/interop/*.c")
file(GLOB oyez_bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.c")
# What both have from the test support: the reader of their command lines.
set(oyez_flags_source "${PROJECT_SOURCE_DIR}/tests/support/flags.c")
if(oyez_have_plugin AND oyez_testing_protos AND (oyez_interop_sources OR oyez_bench_sources OR OYEZ_TESTS))
  add_library(oyez_testing_protos STATIC EXCLUDE_FROM_ALL)
  target_link_libraries(oyez_testing_protos PRIVATE oyez_flags_generated oyez::oyez)
  oyez_generate(TARGET oyez_testing_protos PROTOS ${oyez_testing_protos}
    IMPORT_DIRS "${PROJECT_SOURCE_DIR}/proto" OUT_DIR "${PROJECT_BINARY_DIR}/generated/proto")
endif()

# oyez_program_pair(<dir> <prefix> <all sources>): server.c and client.c (or <word>_server.c ...) of a
# directory are programs <prefix>-server and <prefix>-client, with server_*.c and client_*.c; its other
# files are linked into both.
function(oyez_program_pair dir prefix)
  set(common ${ARGN})
  list(FILTER common EXCLUDE REGEX "/([a-z_]+_)?(server|client)(_[a-z_]+)?\\.c$")
  foreach(role server client)
    set(mine ${ARGN})
    list(FILTER mine INCLUDE REGEX "/([a-z_]+_)?${role}(_[a-z_]+)?\\.c$")
    if(NOT mine)
      continue()
    endif()
    oyez_user_program(${prefix}-${role} ${mine} ${common})
    target_include_directories(${prefix}-${role} PRIVATE
      "${PROJECT_SOURCE_DIR}/${dir}" "${PROJECT_SOURCE_DIR}/tests")
    if(TARGET oyez_testing_protos)
      target_link_libraries(${prefix}-${role} PRIVATE oyez_testing_protos)
    endif()
  endforeach()
endfunction()

if(OYEZ_PROTOBUF_C)
  if(oyez_interop_sources AND (OYEZ_BENCH OR OYEZ_TESTS))
    oyez_program_pair(tests/interop oyez-interop ${oyez_interop_sources} ${oyez_flags_source})
  endif()
  if(oyez_bench_sources AND OYEZ_BENCH)
    # benchmain*.c, benchresult*.c and floor.c are programs of their own; what they share with the pair
    # is named here.
    set(oyez_bench_dir "${PROJECT_SOURCE_DIR}/bench")
    set(oyez_pair_sources ${oyez_bench_sources})
    list(FILTER oyez_pair_sources EXCLUDE REGEX "/(qps_[a-z_]*|bench(main|result)[a-z_]*|results|curve|slow_link|noop|floor)\.c$")
    oyez_program_pair(bench bench ${oyez_pair_sources} ${oyez_flags_source})
    target_link_libraries(bench-server PRIVATE m)
    target_link_libraries(bench-client PRIVATE m)
    add_executable(bench-floor "${oyez_bench_dir}/floor.c" "${oyez_bench_dir}/histogram.c"
      "${oyez_bench_dir}/usage.c" "${oyez_flags_source}")
    target_link_libraries(bench-floor PRIVATE oyez_flags)
    target_include_directories(bench-floor PRIVATE "${oyez_bench_dir}" "${PROJECT_SOURCE_DIR}/tests")
    pkg_check_modules(oyez_bench_jansson REQUIRED IMPORTED_TARGET "jansson>=2.14")
    foreach(program benchmain benchresult)
      set(sources ${oyez_bench_sources})
      list(FILTER sources INCLUDE REGEX "/(${program}[a-z_]*|bench_features|results)\\.c$")
      oyez_user_program(${program} ${sources})
      target_include_directories(${program} PRIVATE "${oyez_bench_dir}" "${PROJECT_SOURCE_DIR}/tests")
      target_link_libraries(${program} PRIVATE PkgConfig::oyez_bench_jansson m)
    endforeach()
    target_sources(benchmain PRIVATE "${oyez_bench_dir}/histogram.c" "${oyez_bench_dir}/messages.c"
      "${oyez_bench_dir}/meter.c" "${oyez_bench_dir}/prepared.c" "${oyez_bench_dir}/noop.c"
      "${oyez_bench_dir}/curve.c"
      "${oyez_bench_dir}/slow_link.c" "${oyez_bench_dir}/server_service.c" "${oyez_flags_source}")
    target_link_libraries(benchmain PRIVATE oyez_testing_protos)
    # bench/micro: whole calls with the library as it is shipped, and its parts with its objects.
    set(oyez_micro_dir "${oyez_bench_dir}/micro")
    oyez_user_program(bench-count "${oyez_micro_dir}/unary.c" "${oyez_micro_dir}/micro.c")
    target_link_libraries(bench-count PRIVATE oyez_testing_protos)
    file(GLOB oyez_micro_sources CONFIGURE_DEPENDS "${oyez_micro_dir}/micro*.c")
    add_executable(bench-micro "${oyez_micro_dir}/layers.c" ${oyez_micro_sources}
      $<TARGET_OBJECTS:oyez_testing_protos> $<TARGET_OBJECTS:oyez_wkt>)
    add_dependencies(bench-micro oyez_testing_protos oyez_wkt)
    target_include_directories(bench-micro SYSTEM PRIVATE
      $<TARGET_PROPERTY:oyez_testing_protos,INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(bench-micro PRIVATE oyez_flags)
    set(oyez_micro_layers ${oyez_layers})
    list(REVERSE oyez_micro_layers) # an archive comes before those that it needs
    foreach(layer IN LISTS oyez_micro_layers)
      target_link_libraries(bench-micro PRIVATE oyez_layer_${layer})
    endforeach()
    target_link_libraries(bench-micro PRIVATE oyez_dependencies PkgConfig::oyez_protobuf_c)
    # bench/experiments: what a decision of the design gains, beside the other way.
    oyez_user_program(bench-held "${oyez_bench_dir}/experiments/held.c" "${oyez_bench_dir}/messages.c"
      "${oyez_bench_dir}/usage.c" "${oyez_flags_source}")
    target_include_directories(bench-held PRIVATE "${oyez_bench_dir}" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(bench-held PRIVATE oyez_testing_protos)
    oyez_user_program(bench-compress "${oyez_bench_dir}/experiments/compress.c" "${oyez_bench_dir}/noop.c" "${oyez_bench_dir}/usage.c" "${oyez_bench_dir}/messages.c"
      "${oyez_bench_dir}/meter.c" "${oyez_flags_source}")
    target_include_directories(bench-compress PRIVATE "${oyez_bench_dir}" "${PROJECT_SOURCE_DIR}/tests")
    target_link_libraries(bench-compress PRIVATE oyez_testing_protos)
    # qps_*.c: the worker of the QPS benchmark, and a driver for it.
    oyez_user_program(qps-worker "${oyez_bench_dir}/qps_worker.c" "${oyez_bench_dir}/qps_serve.c"
      "${oyez_bench_dir}/qps_load.c" "${oyez_bench_dir}/qps_histogram.c" "${oyez_bench_dir}/curve.c"
      "${oyez_bench_dir}/usage.c" "${oyez_bench_dir}/messages.c" "${oyez_bench_dir}/prepared.c"
      "${oyez_bench_dir}/bench_features.c" "${oyez_bench_dir}/server_service.c" "${oyez_flags_source}")
    oyez_user_program(qps-driver "${oyez_bench_dir}/qps_driver.c" "${oyez_flags_source}")
    foreach(program qps-worker qps-driver)
      target_include_directories(${program} PRIVATE "${oyez_bench_dir}" "${PROJECT_SOURCE_DIR}/tests")
      target_link_libraries(${program} PRIVATE oyez_testing_protos m)
    endforeach()
  endif()
endif()

# --- the programs that the conformance suite tests: tests/conformance -----------------------------
file(GLOB oyez_conformance_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/conformance/*.c")
if(oyez_have_plugin AND oyez_conformance_sources AND (OYEZ_BENCH OR OYEZ_TESTS))
  add_library(oyez_conformance_protos STATIC EXCLUDE_FROM_ALL)
  target_link_libraries(oyez_conformance_protos PRIVATE oyez_flags_generated oyez::oyez)
  oyez_generate(TARGET oyez_conformance_protos PROTOS "${PROJECT_SOURCE_DIR}/tests/conformance/conformance.proto"
    IMPORT_DIRS "${PROJECT_SOURCE_DIR}/tests/conformance" "${OYEZ_PROTOBUF_INCLUDE}"
    OUT_DIR "${PROJECT_BINARY_DIR}/generated/conformance")
  oyez_program_pair(tests/conformance oyez-conformance ${oyez_conformance_sources})
  foreach(role server client)
    target_link_libraries(oyez-conformance-${role} PRIVATE oyez_conformance_protos)
  endforeach()
endif()

# --- mixed calls for a long time: tests/soak ------------------------------------------------------
file(GLOB oyez_soak_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/soak/*.c")
if(oyez_soak_sources AND OYEZ_TESTS)
  oyez_user_program(oyez-soak ${oyez_soak_sources})
endif()
