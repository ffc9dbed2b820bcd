# Modelling assertions of a model whose own numbers are known.
cpl_lb_model(assertion_scenarios assertion_scenarios.cpp)

# The stub under the name by which the library looks for PAPI.
set(papi_folder "${CMAKE_CURRENT_BINARY_DIR}/papi_stub")
file(MAKE_DIRECTORY "${papi_folder}")
add_custom_command(TARGET assertion_scenarios POST_BUILD
  COMMAND "${CMAKE_COMMAND}" -E create_symlink "$<TARGET_FILE:papi_stub>" "${papi_folder}/libpapi.so.7")

cpl_lb_scenario_test(assertions_test assertions_test.cpp)
add_dependencies(assertions_test assertion_scenarios papi_stub)

if(TARGET kernels_fortran AND TARGET cpl-lb AND CPL_LB_PROJECTION)
  add_test(NAME assertions_example COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/assertions_example.sh" $<TARGET_FILE:cpl-lb>
    "${MPIEXEC_EXECUTABLE}" "${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:kernels_c> $<TARGET_FILE:kernels_fortran>)
  set_tests_properties(assertions_example PROPERTIES PROCESSORS 2 TIMEOUT 120)
  cpl_lb_runs_mpi(assertions_example)
endif()
