# C, C++ and Fortran have the same names, and every Fortran call works in every variant of its arguments.
include("${PROJECT_SOURCE_DIR}/tests/functional/coupled_helpers.cmake")
add_executable(names_fortran names_fortran.f90)
target_link_libraries(names_fortran PRIVATE cpl_lb::fortran MPI::MPI_Fortran cpl_lb_settings)
set_target_properties(names_fortran PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_names")

# The same source with the module that has nothing behind it: one interface.
if(TARGET coupled_no_cpl_lb)
  add_executable(names_fortran_not_linked names_fortran.f90)
  target_link_libraries(names_fortran_not_linked PRIVATE coupled_no_cpl_lb MPI::MPI_Fortran cpl_lb_settings)
  set_target_properties(names_fortran_not_linked PROPERTIES
    Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_names_not_linked")
  cpl_lb_fortran_run(names_fortran_not_linked 2 OFF)
endif()

add_library(names_fortran_objects OBJECT names_fortran.f90)
target_link_libraries(names_fortran_objects PRIVATE cpl_lb::fortran MPI::MPI_Fortran)
set_target_properties(names_fortran_objects PROPERTIES
  Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_names_objects")

add_test(NAME names COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/names_test.sh"
  "${PROJECT_SOURCE_DIR}/include:${PROJECT_BINARY_DIR}/include" "${PROJECT_SOURCE_DIR}/fortran_bindings/cpl_lb.f90"
  "${MPI_CXX_COMPILER}" $<TARGET_FILE:cpl_lb>
  $<TARGET_FILE:cpl_lb_fortran> $<TARGET_OBJECTS:names_fortran_objects>)

cpl_lb_fortran_run(names_fortran 1 ON)
cpl_lb_fortran_run(names_fortran 2 ON)
cpl_lb_fortran_run(names_fortran 2 OFF)

# The balance while a Fortran model runs.
add_executable(balance_now_fortran balance_now_fortran.f90)
target_link_libraries(balance_now_fortran PRIVATE cpl_lb::fortran MPI::MPI_Fortran cpl_lb_settings)
set_target_properties(balance_now_fortran PROPERTIES
  Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_balance_now")
cpl_lb_fortran_run(balance_now_fortran 2 ON)
cpl_lb_runs_alone(balance_now_fortran_2_on)

# What a Fortran model says of its grid, as ncdump reads it.
add_executable(domains_fortran domains_fortran.f90)
target_link_libraries(domains_fortran PRIVATE cpl_lb::fortran MPI::MPI_Fortran cpl_lb_settings)
set_target_properties(domains_fortran PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_domains")
add_test(NAME domains_fortran_test COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/domains_test.sh"
  "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:domains_fortran>)
set_tests_properties(domains_fortran_test PROPERTIES PROCESSORS 4 TIMEOUT 120)
cpl_lb_runs_mpi(domains_fortran_test CPL_LB_ENABLED=1)
