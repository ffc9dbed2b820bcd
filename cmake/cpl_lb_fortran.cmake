# cpl_lb_add_fortran(SOURCE): the targets for Fortran, made from the one source with the compiler of this build, because
# a .mod file serves one compiler only.
#   cpl_lb::fortran          the module and the shared library
#   cpl_lb::fortran_static   the module and the static library
function(cpl_lb_add_fortran source)
  if(NOT TARGET cpl_lb_fortran) # a project may look for the package in several folders
    set(modules "${CMAKE_CURRENT_BINARY_DIR}/cpl_lb_modules")
    add_library(cpl_lb_fortran STATIC EXCLUDE_FROM_ALL "${source}")
    set_target_properties(cpl_lb_fortran PROPERTIES POSITION_INDEPENDENT_CODE ON Fortran_MODULE_DIRECTORY "${modules}")
    target_include_directories(cpl_lb_fortran INTERFACE "${modules}")
  endif()
  foreach(suffix "" _static)
    if(TARGET cpl_lb_fortran_with${suffix})
      continue()
    endif()
    if(suffix STREQUAL "")
      set(library cpl_lb::cpl_lb)
    else()
      set(library cpl_lb::static)
    endif()
    if(TARGET ${library})
      add_library(cpl_lb_fortran_with${suffix} INTERFACE)
      target_link_libraries(cpl_lb_fortran_with${suffix} INTERFACE cpl_lb_fortran ${library})
      add_library(cpl_lb::fortran${suffix} ALIAS cpl_lb_fortran_with${suffix})
    endif()
  endforeach()
endfunction()
