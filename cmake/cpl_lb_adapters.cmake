# cpl_lb_add_adapter(TARGET mct|oasis MODULES folder... [LIBRARY library] [INTEL] [PRELOAD coupler...])
# Makes TARGET from the adapter's sources, compiled against the coupler's modules in the folders (its .mod files).
#   without PRELOAD  objects and linker options: target_link_libraries(model PRIVATE TARGET) is all that a model needs.
#                    For a coupler in static libraries.
#   PRELOAD          a library for LD_PRELOAD, for a coupler in a shared library, which is named here (file or target);
#                    the model is not linked again.
# LIBRARY: cpl_lb::cpl_lb (the default) or cpl_lb::static. INTEL: names as ifort and ifx make them (found out by
# itself). When the modules are missing or of a version that the adapter does not know, one warning says so, and TARGET
# is empty: the model builds and runs uninstrumented.
if(NOT DEFINED cpl_lb_ADAPTER_DIR) # the installed package says where
  set(cpl_lb_ADAPTER_DIR "${CMAKE_CURRENT_LIST_DIR}/../libcpl_lb/adapters")
endif()
set(CPL_LB_ADAPTER_DIR "${cpl_lb_ADAPTER_DIR}" CACHE INTERNAL "")
include("${CMAKE_CURRENT_LIST_DIR}/cpl_lb_own_flags.cmake")
set(CPL_LB_ADAPTER_FLAGS "${cpl_lb_own_flags}" CACHE INTERNAL "")
if(cpl_lb_top_level) # warnings count here
  list(REMOVE_ITEM CPL_LB_ADAPTER_FLAGS -w)
endif()

# Symbols of the coupler that the linker sends through the adapter.
function(cpl_lb_wrap_options variable coupler intel)
  set(options "")
  set(couplers mct)
  if(coupler STREQUAL "oasis")
    set(couplers mct oasis)
  endif()
  foreach(one ${couplers})
    file(STRINGS "${CPL_LB_ADAPTER_DIR}/${one}.symbols" lines)
    foreach(line ${lines})
      string(REPLACE " " ";" words "${line}")
      list(GET words 0 module)
      list(GET words 1 name)
      if(intel)
        list(APPEND options "-Wl,--wrap=${module}_mp_${name}_")
      else()
        list(APPEND options "-Wl,--wrap=__${module}_MOD_${name}")
      endif()
    endforeach()
  endforeach()
  set(${variable} "${options}" PARENT_SCOPE)
endfunction()

function(cpl_lb_add_adapter target coupler)
  cmake_parse_arguments(adapter "INTEL" "LIBRARY" "MODULES;PRELOAD" ${ARGN})
  if(NOT coupler MATCHES "^(mct|oasis)$")
    message(FATAL_ERROR "cpl_lb_add_adapter: the coupler is mct or oasis, not '${coupler}'")
  endif()
  if(NOT adapter_LIBRARY)
    set(adapter_LIBRARY cpl_lb::cpl_lb)
  endif()
  if(CMAKE_Fortran_COMPILER_ID MATCHES "Intel")
    set(adapter_INTEL ON)
  endif()
  set(fortran "${CPL_LB_ADAPTER_DIR}/cpl_lb_mct.f90")
  set(cxx "${CPL_LB_ADAPTER_DIR}/cpl_lb_mct.cpp")
  if(coupler STREQUAL "oasis")
    list(APPEND fortran "${CPL_LB_ADAPTER_DIR}/cpl_lb_oasis.F90")
    list(APPEND cxx "${CPL_LB_ADAPTER_DIR}/cpl_lb_oasis.cpp")
  endif()

  # A look at the modules, as the build will use them.
  foreach(source ${fortran})
    get_filename_component(name "${source}" NAME_WE)
    if(NOT TARGET MPI::MPI_Fortran)
      find_package(MPI QUIET COMPONENTS Fortran)
    endif()
    set(includes "")
    foreach(folder ${adapter_MODULES})
      list(APPEND includes "-I${folder}")
    endforeach()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}_look")
    file(MAKE_DIRECTORY "${folder}")
    execute_process(COMMAND "${CMAKE_Fortran_COMPILER}" ${includes} -c "${source}" -o "${folder}/${name}.o"
      WORKING_DIRECTORY "${folder}" RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(failed)
      string(REGEX MATCH "[^\n]*[Ee]rror[^\n]*" why "${said}")
      message(WARNING "cpl_lb: no adapter for ${coupler}: ${source} does not compile with the modules in "
        "'${adapter_MODULES}': ${why}. The model is built without it.")
      add_library(${target} INTERFACE)
      return()
    endif()
  endforeach()

  if(adapter_PRELOAD)
    add_library(${target} SHARED ${fortran} ${cxx})
    target_compile_definitions(${target} PRIVATE CPL_LB_ADAPTER_PRELOAD)
    # With the coupler behind it, the loader finds the coupler's tables in whatever program LD_PRELOAD reaches.
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS} ${adapter_PRELOAD})
  else()
    add_library(${target} OBJECT ${fortran} ${cxx})
    cpl_lb_wrap_options(options ${coupler} "${adapter_INTEL}")
    target_link_options(${target} INTERFACE ${options})
  endif()
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
    Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}_modules")
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${CPL_LB_ADAPTER_FLAGS}>")
  if(adapter_INTEL)
    target_compile_definitions(${target} PRIVATE CPL_LB_FORTRAN_INTEL)
  endif()
  target_include_directories(${target} PRIVATE ${adapter_MODULES})
  target_link_libraries(${target} PUBLIC ${adapter_LIBRARY})
endfunction()
