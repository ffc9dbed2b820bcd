# The balance while the model runs: sleeps of known length, on few processes, which wait asleep.
add_executable(balance_now_model balance_now_model.c)
target_link_libraries(balance_now_model PRIVATE cpl_lb::cpl_lb MPI::MPI_C)
if(CPL_LB_MPI_NAME MATCHES "mpich")
  set(balance_now_processes 2)
else()
  set(balance_now_processes 4)
endif()

# cpl_lb_balance_now_test(CASE PROCESSES ENVIRONMENT...)
function(cpl_lb_balance_now_test case processes)
  set(name balance_now_${case}_${processes})
  if(TEST ${name})
    return()
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/run_${name}")
  file(MAKE_DIRECTORY "${folder}")
  add_test(NAME ${name} WORKING_DIRECTORY "${folder}"
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${processes} $<TARGET_FILE:balance_now_model> ${case})
  set_tests_properties(${name} PROPERTIES TIMEOUT 120)
  cpl_lb_runs_alone(${name})
  cpl_lb_runs_mpi(${name} CPL_LB_ENABLED=1 ${ARGN})
endfunction()

cpl_lb_balance_now_test(follow 2)
cpl_lb_balance_now_test(follow ${balance_now_processes})
cpl_lb_balance_now_test(alone 1)
cpl_lb_balance_now_test(alone ${balance_now_processes})
cpl_lb_balance_now_test(off 2 CPL_LB_ENABLED=0)
cpl_lb_balance_now_test(missing ${balance_now_processes} CPL_LB_TIMEOUT=2)
cpl_lb_balance_now_test(full 2 CPL_LB_MAX_MB=1)

# One call of MPI after the other fails, in the middle of the run.
add_test(NAME balance_now_faults COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/balance_now_faults.sh"
  "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:balance_now_model> $<TARGET_FILE:faults>
  "${CMAKE_CURRENT_BINARY_DIR}/run_balance_now_faults")
set_tests_properties(balance_now_faults PROPERTIES TIMEOUT 300)
cpl_lb_runs_alone(balance_now_faults)
cpl_lb_runs_mpi(balance_now_faults CPL_LB_ENABLED=1 CPL_LB_TIMEOUT=1)

# One process for each component: the report says the same of the same steps.
add_test(NAME balance_now_report COMMAND "${CPL_LB_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/balance_now_test.py"
  ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} $<TARGET_FILE:balance_now_model>
  "${CMAKE_CURRENT_BINARY_DIR}/run_balance_now_report")
set_tests_properties(balance_now_report PROPERTIES TIMEOUT 120)
cpl_lb_runs_alone(balance_now_report)
cpl_lb_runs_mpi(balance_now_report PYTHONDONTWRITEBYTECODE=1 CPL_LB_ENABLED=1)
