# Adapters of the package itself, for build systems that take -l and -L only:
#   -DCPL_LB_OASIS_MODULES="folders of .mod files"   libcpl_lb_oasis.a and `pkg-config --libs cpl_lb-oasis`
#   -DCPL_LB_MCT_MODULES="..."                       the same for MCT
#   -DCPL_LB_YAC_ADAPTER=ON                          the same for YAC, whose modules are not needed
# For one coupler and one Fortran compiler, those of the model. Where cpl_lb is installed already,
# cpl_lb_build_adapter.sh makes the same two files.
include(cpl_lb_adapters)

function(cpl_lb_adapter_archive coupler modules)
  set(target "cpl_lb_${coupler}")
  set(fortran "")
  if(NOT coupler STREQUAL "yac")
    cpl_lb_known_names(fortran why ${target} ${coupler} "${modules}")
    if(NOT fortran)
      message(FATAL_ERROR "cpl_lb: no adapter for ${coupler}: nothing that it has compiles with the modules in "
        "'${modules}': ${why}")
    endif()
  endif()
  cpl_lb_adapter_calls(calls ${coupler})
  add_library(${target} STATIC ${fortran} ${calls})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}_modules")
  # The library's headers alone: the model links it, not the archive.
  target_include_directories(${target} PRIVATE ${modules} "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
  target_link_libraries(${target} PRIVATE cpl_lb_settings MPI::MPI_CXX)
  set(intel OFF)
  if(CMAKE_Fortran_COMPILER_ID MATCHES "Intel")
    set(intel ON)
    target_compile_definitions(${target} PRIVATE CPL_LB_FORTRAN_INTEL)
  endif()
  install(TARGETS ${target} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT cpl_lb_adapters)

  cpl_lb_link_options(wraps ${coupler} ${intel})
  list(JOIN wraps " " wraps)
  file(WRITE "${PROJECT_BINARY_DIR}/package/cpl_lb-${coupler}.pc"
    "libdir=\${pcfiledir}/..\n\nName: cpl_lb-${coupler}\n"
    "Description: cpl_lb's adapter for ${coupler}, for the link line of a model\nVersion: ${PROJECT_VERSION}\n"
    "Requires: cpl_lb\nLibs: ${wraps} -L\${libdir} -lcpl_lb_${coupler} -lstdc++\n")
  install(FILES "${PROJECT_BINARY_DIR}/package/cpl_lb-${coupler}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
    COMPONENT cpl_lb_adapters)
endfunction()

foreach(coupler oasis mct)
  string(TOUPPER "CPL_LB_${coupler}_MODULES" option)
  set(${option} "" CACHE STRING "Folders of the coupler's .mod files: also build libcpl_lb_${coupler}.a for it")
  if(${option})
    if(NOT CPL_LB_FORTRAN)
      message(FATAL_ERROR "${option} needs a Fortran compiler, and CPL_LB_FORTRAN is off")
    endif()
    string(REPLACE " " ";" folders "${${option}}")
    cpl_lb_adapter_archive(${coupler} "${folders}")
  endif()
endforeach()
option(CPL_LB_YAC_ADAPTER "Also build libcpl_lb_yac.a" OFF)
if(CPL_LB_YAC_ADAPTER)
  cpl_lb_adapter_archive(yac "")
endif()
