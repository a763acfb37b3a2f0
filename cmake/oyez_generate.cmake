# SPDX-License-Identifier: Apache-2.0
# oyez_generate(TARGET t PROTOS a.proto b.proto [IMPORT_DIRS dir...] [OUT_DIR dir] [OPTIONS opt...])
#
# Runs protoc with protoc-gen-oyez over each .proto file and adds what it writes to the target: for
# x/y.proto the files x/y.pb-c.{c,h} (messages) and x/y.oyez.{c,h} (stubs and services), under
# OUT_DIR (default: oyez-generated in the current binary directory), which becomes a public include
# path of the target.
#
# A .proto file is named below the first import directory that holds it; without IMPORT_DIRS that is
# the current source directory. A file outside all of them is named by its last part.
# OPTIONS are handed to the plug-in (--oyez_opt=).

function(oyez_generate)
  cmake_parse_arguments(PARSE_ARGV 0 gen "" "TARGET;OUT_DIR" "PROTOS;IMPORT_DIRS;OPTIONS")
  if(NOT gen_TARGET OR NOT gen_PROTOS)
    message(FATAL_ERROR "oyez_generate: TARGET and PROTOS are needed")
  endif()
  if(gen_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "oyez_generate: unknown arguments: ${gen_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT gen_OUT_DIR)
    set(gen_OUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/oyez-generated")
  endif()
  if(NOT gen_IMPORT_DIRS)
    set(gen_IMPORT_DIRS "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()

  find_program(OYEZ_PROTOC protoc)
  if(NOT OYEZ_PROTOC)
    message(FATAL_ERROR "oyez_generate: protoc was not found (Debian: protobuf-compiler)")
  endif()
  if(TARGET oyez::protoc-gen-oyez)
    set(plugin "$<TARGET_FILE:oyez::protoc-gen-oyez>")
    set(plugin_dependency oyez::protoc-gen-oyez)
  else()
    find_program(OYEZ_PLUGIN protoc-gen-oyez)
    if(NOT OYEZ_PLUGIN)
      message(FATAL_ERROR "oyez_generate: protoc-gen-oyez was not found")
    endif()
    set(plugin "${OYEZ_PLUGIN}")
    set(plugin_dependency "${OYEZ_PLUGIN}")
  endif()

  set(import_flags "")
  foreach(dir IN LISTS gen_IMPORT_DIRS)
    cmake_path(ABSOLUTE_PATH dir NORMALIZE OUTPUT_VARIABLE dir)
    list(APPEND import_dirs "${dir}")
    list(APPEND import_flags "-I${dir}")
  endforeach()
  set(option_flags "")
  foreach(opt IN LISTS gen_OPTIONS)
    list(APPEND option_flags "--oyez_opt=${opt}")
  endforeach()

  foreach(proto IN LISTS gen_PROTOS)
    cmake_path(ABSOLUTE_PATH proto NORMALIZE OUTPUT_VARIABLE proto_file)
    set(stem "")
    set(extra_import "")
    foreach(dir IN LISTS import_dirs)
      cmake_path(IS_PREFIX dir "${proto_file}" inside)
      if(inside)
        cmake_path(RELATIVE_PATH proto_file BASE_DIRECTORY "${dir}" OUTPUT_VARIABLE stem)
        break()
      endif()
    endforeach()
    if(NOT stem)
      cmake_path(GET proto_file FILENAME stem)
      cmake_path(GET proto_file PARENT_PATH parent)
      set(extra_import "-I${parent}")
    endif()
    string(REGEX REPLACE "\\.proto$" "" stem "${stem}")
    set(base "${gen_OUT_DIR}/${stem}")
    set(outputs "${base}.pb-c.c" "${base}.pb-c.h" "${base}.oyez.c" "${base}.oyez.h")
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND ${CMAKE_COMMAND} -E make_directory "${gen_OUT_DIR}"
      COMMAND "${OYEZ_PROTOC}" "--plugin=protoc-gen-oyez=${plugin}" ${import_flags} ${extra_import}
              "--oyez_out=${gen_OUT_DIR}" ${option_flags} "${proto_file}"
      DEPENDS "${proto_file}" ${plugin_dependency}
      COMMENT "protoc-gen-oyez ${stem}.proto"
      VERBATIM)
    target_sources(${gen_TARGET} PRIVATE ${outputs})
  endforeach()

  target_include_directories(${gen_TARGET} PUBLIC $<BUILD_INTERFACE:${gen_OUT_DIR}>)
  if(TARGET oyez::wkt)
    target_link_libraries(${gen_TARGET} PUBLIC oyez::wkt)
  endif()
  if(TARGET PkgConfig::oyez_protobuf_c)
    target_link_libraries(${gen_TARGET} PUBLIC PkgConfig::oyez_protobuf_c)
  endif()
endfunction()
