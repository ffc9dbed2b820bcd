# The adapter of YAC against a double of it: static with --wrap, and shared with LD_PRELOAD; air and ice in C, the sea
# in Fortran.
add_library(double_yac_static STATIC double_yac.c)
add_library(double_yac_shared SHARED double_yac.c)
add_library(double_yac_older STATIC double_yac.c)
target_compile_definitions(double_yac_older PRIVATE OLDER)
foreach(double double_yac_static double_yac_shared double_yac_older)
  target_link_libraries(${double} PRIVATE MPI::MPI_C)
endforeach()
cpl_lb_add_adapter(adapter_yac yac)
cpl_lb_add_adapter(adapter_yac_preload yac PRELOAD double_yac_shared)
foreach(target adapter_yac adapter_yac_preload)
  target_link_libraries(${target} PRIVATE cpl_lb_settings)
endforeach()

foreach(kind plain wrapped on_shared on_older)
  add_executable(yac_${kind} yac_model.c)
  add_executable(yac_${kind}_sea yac_model.f90)
  set_target_properties(yac_${kind}_sea PROPERTIES
    Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/yac_${kind}_modules")
  target_link_libraries(yac_${kind}_sea PRIVATE MPI::MPI_Fortran)
  foreach(program yac_${kind} yac_${kind}_sea)
    set(double double_yac_static)
    if(kind MATCHES "on_(.*)")
      set(double double_yac_${CMAKE_MATCH_1})
    endif()
    if(kind MATCHES "wrapped|older")
      target_link_libraries(${program} PRIVATE adapter_yac)
    endif()
    target_link_libraries(${program} PRIVATE ${double} MPI::MPI_C)
    set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
  endforeach()
endforeach()

opening_program(yac_opened yac_model.c double_yac_shared)
opening_program(yac_opened_sea yac_model.f90 double_yac_shared)

cpl_lb_test_target(yac_adapter_test yac_test.cpp cpl_lb_catch_main)
target_include_directories(yac_adapter_test PRIVATE "${CPL_LB_ADAPTER_DIR}")
target_link_libraries(yac_adapter_test PRIVATE cpl_lb_io
  PkgConfig::NETCDF)
target_compile_definitions(yac_adapter_test PRIVATE ADAPTERS_MPIEXEC="${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}"
  ADAPTERS_MPIEXEC_NP="${MPIEXEC_NUMPROC_FLAG}" ADAPTERS_FOLDER="${CMAKE_CURRENT_BINARY_DIR}"
  ADAPTERS_YAC_PRELOAD="$<TARGET_FILE:adapter_yac_preload>")
add_dependencies(yac_adapter_test yac_plain yac_plain_sea yac_wrapped yac_wrapped_sea yac_on_shared yac_on_shared_sea
  yac_on_older yac_on_older_sea yac_opened yac_opened_sea adapter_yac_preload)
add_test(NAME yac_adapter_test COMMAND yac_adapter_test)
set_tests_properties(yac_adapter_test PROPERTIES TIMEOUT 180)
cpl_lb_runs_alone(yac_adapter_test)
cpl_lb_runs_mpi(yac_adapter_test)
cpl_lb_may_have_company(yac_adapter_test)
