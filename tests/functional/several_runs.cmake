# Several mpiruns that are one system, joined by the command.
add_executable(part_model part_model.cpp)
target_link_libraries(part_model PRIVATE cpl_lb_settings cpl_lb::cpl_lb)
add_test(NAME several_runs COMMAND "${CPL_LB_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/several_runs_test.py"
  ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} $<TARGET_FILE:part_model> $<TARGET_FILE:cpl-lb>
  "${CMAKE_CURRENT_BINARY_DIR}/run_several_runs")
set_tests_properties(several_runs PROPERTIES TIMEOUT 300)
cpl_lb_runs_alone(several_runs)
cpl_lb_runs_mpi(several_runs PYTHONDONTWRITEBYTECODE=1)
