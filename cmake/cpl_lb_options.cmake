# Compile settings shared by all targets of the project, and the dependencies.

if(cpl_lb_top_level AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

if(CPL_LB_FORTRAN AND CPL_LB_MPI)
  enable_language(Fortran)
endif()

find_package(PkgConfig REQUIRED)
pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf)
if(CPL_LB_MPI)
  if(CPL_LB_FORTRAN)
    find_package(MPI REQUIRED COMPONENTS C CXX Fortran)
  else()
    find_package(MPI REQUIRED COMPONENTS C CXX)
  endif()
endif()
find_package(Threads REQUIRED)

# Everything of the project inherits these; a user's project never does.
add_library(cpl_lb_settings INTERFACE)
target_compile_features(cpl_lb_settings INTERFACE cxx_std_20)
target_compile_definitions(cpl_lb_settings INTERFACE FMT_HEADER_ONLY=1)
if(CPL_LB_STRICT)
  target_compile_options(cpl_lb_settings INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Werror>
    $<$<COMPILE_LANGUAGE:Fortran>:-Wall;-Wextra;-Werror>)
endif()
if(CPL_LB_SANITIZE)
  target_compile_options(cpl_lb_settings INTERFACE -fsanitize=${CPL_LB_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(cpl_lb_settings INTERFACE -fsanitize=${CPL_LB_SANITIZE})
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
