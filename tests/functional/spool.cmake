# Runs that die, and what cpl-lb recover makes of what they left.
cpl_lb_model(spool_scenarios spool_scenarios.cpp)

if(TARGET cpl-lb)
  cpl_lb_scenario_test(spool_test spool_test.cpp)
  add_dependencies(spool_test spool_scenarios cpl-lb)
  cpl_lb_scenario_needs(spool_test mount ${cpl_lb_needs_mount})
  add_test(NAME batch_lines COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/batch_lines.sh" "${PROJECT_SOURCE_DIR}/docs/cluster.md"
    $<TARGET_FILE:cpl-lb> $<TARGET_FILE:spool_scenarios> "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}")
  set_tests_properties(batch_lines PROPERTIES PROCESSORS 2 TIMEOUT 120)
  cpl_lb_runs_mpi(batch_lines)
endif()
