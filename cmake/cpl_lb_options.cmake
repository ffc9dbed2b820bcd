# Compile settings shared by all targets of the project, and the dependencies.

if(cpl_lb_top_level AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(CPL_LB_FORTRAN AND CPL_LB_MPI)
  enable_language(Fortran)
endif()

# As part of another project, what is found here must be visible there, where the library is linked.
set(cpl_lb_found_targets MPI::MPI_C MPI::MPI_CXX MPI::MPI_Fortran Threads::Threads PkgConfig::NETCDF)
foreach(target ${cpl_lb_found_targets})
  if(TARGET ${target})
    list(REMOVE_ITEM cpl_lb_found_targets ${target}) # found by the other project itself
  endif()
endforeach()

include(cpl_lb_netcdf)
if(CPL_LB_MPI)
  if(CPL_LB_FORTRAN)
    find_package(MPI REQUIRED COMPONENTS C CXX Fortran)
  else()
    find_package(MPI REQUIRED COMPONENTS C CXX)
  endif()
  include(cpl_lb_mpi_name)
  cpl_lb_mpi_name(CPL_LB_MPI_NAME)
  if(NOT CPL_LB_MPI_NAME)
    set(CPL_LB_MPI_NAME mpi) # part of the library's file name
  endif()
endif()
find_package(Threads REQUIRED)
if(NOT cpl_lb_top_level)
  foreach(target ${cpl_lb_found_targets})
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES IMPORTED_GLOBAL TRUE)
    endif()
  endforeach()
endif()

# Everything of the project inherits these; a user's project never does.
add_library(cpl_lb_settings INTERFACE)
target_compile_features(cpl_lb_settings INTERFACE cxx_std_20)
if(NOT cpl_lb_top_level)
  include(cpl_lb_own_flags)
  target_compile_options(cpl_lb_settings INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${cpl_lb_own_flags}>"
    $<$<COMPILE_LANGUAGE:C>:-w>)
  # Checks and ways to compile that the other project has for its own sources.
  foreach(tool CLANG_TIDY CPPCHECK CPPLINT INCLUDE_WHAT_YOU_USE)
    unset(CMAKE_C_${tool})
    unset(CMAKE_CXX_${tool})
  endforeach()
  set(CMAKE_UNITY_BUILD "${CPL_LB_UNITY_BUILD}") # off, but for a test of ours
endif()
include(cpl_lb_headers)
include(cpl_lb_fmt)
if(CPL_LB_STRICT)
  target_compile_options(cpl_lb_settings INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Werror>
    $<$<COMPILE_LANGUAGE:Fortran>:-Wall;-Wextra;-Werror>)
endif()
if(CPL_LB_SANITIZE)
  # With sanitizers g++ 12 sees uninitialized values inside its own <regex>, which Catch2 includes.
  target_compile_options(cpl_lb_settings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_compile_options(cpl_lb_settings INTERFACE -fsanitize=${CPL_LB_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(cpl_lb_settings INTERFACE -fsanitize=${CPL_LB_SANITIZE})
endif()

