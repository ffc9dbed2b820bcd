# Libraries of which only headers are needed, when cpl_lb is built: nothing of them is linked. Those of the system, or of
# CMAKE_PREFIX_PATH, come first; a release archive carries them in third_party, for machines that have none (packaging/archive).

# cpl_lb_headers(NAME HEADER PACKAGE WHAT): CPL_LB_<NAME>_INCLUDE is the folder with HEADER, and all sources of the
# project have it. PACKAGE: Debian's name, and that of its folder in third_party. WHAT: for people.
function(cpl_lb_headers name header package what)
  set(carried "${PROJECT_SOURCE_DIR}/third_party/${package}/include")
  find_path(CPL_LB_${name}_INCLUDE ${header} PATHS "${carried}" "${carried}/eigen3" PATH_SUFFIXES eigen3)
  if(NOT CPL_LB_${name}_INCLUDE)
    message(FATAL_ERROR "cpl_lb needs the headers of ${what}: package ${package} of Debian, or "
      "-DCPL_LB_${name}_INCLUDE=FOLDER where FOLDER/${header} is; a release archive carries them")
  endif()
  if(NOT name STREQUAL EIGEN) # its own folder: only where it is used (libcpl_lb/projection)
    target_include_directories(cpl_lb_settings SYSTEM INTERFACE "$<BUILD_INTERFACE:${CPL_LB_${name}_INCLUDE}>")
  endif()
endfunction()
cpl_lb_headers(PEGTL tao/pegtl.hpp tao-pegtl-dev "PEGTL 3, which read expressions")
cpl_lb_headers(FMT fmt/format.h libfmt-dev "fmt")
cpl_lb_headers(JSON nlohmann/json.hpp nlohmann-json3-dev "nlohmann's JSON")
cpl_lb_headers(TOML toml++/toml.h libtomlplusplus-dev "toml++")
if(CPL_LB_COMMAND)
  cpl_lb_headers(CLI CLI/App.hpp libcli11-dev "CLI11")
endif()
if(CPL_LB_COMMAND AND CPL_LB_PROJECTION)
  cpl_lb_headers(EIGEN Eigen/Core libeigen3-dev "Eigen 3")
endif()
