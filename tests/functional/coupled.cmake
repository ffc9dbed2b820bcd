# The coupled model of examples/coupled: energy, and the same bits with cpl_lb on, off and not linked.
if(MPIEXEC_EXECUTABLE MATCHES "mpich" OR MPI_EXECUTABLE_SUFFIX MATCHES "mpich")
  set(coupled_mpi mpich)
else()
  set(coupled_mpi openmpi)
endif()
foreach(case bits restart)
  add_test(NAME coupled_${case} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/coupled_${case}.sh"
    "${PROJECT_SOURCE_DIR}/examples/coupled" $<TARGET_FILE_DIR:coupled_ocean> ${coupled_mpi}
    "${CMAKE_CURRENT_BINARY_DIR}/run_coupled_${case}")
  set_tests_properties(coupled_${case} PROPERTIES PROCESSORS 2 TIMEOUT 300)
  cpl_lb_runs_mpi(coupled_${case})
endforeach()
if(TARGET cpl-lb)
  foreach(case watch page balance imbalance predict settings tune)
    add_test(NAME coupled_${case} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/coupled_${case}.sh"
      "${PROJECT_SOURCE_DIR}/examples/coupled" $<TARGET_FILE_DIR:coupled_ocean> ${coupled_mpi}
      "${CMAKE_CURRENT_BINARY_DIR}/run_coupled_${case}" $<TARGET_FILE:cpl-lb>)
    set_tests_properties(coupled_${case} PROPERTIES TIMEOUT 300)
    cpl_lb_runs_alone(coupled_${case})
    cpl_lb_runs_mpi(coupled_${case} PYTHON=${CPL_LB_PYTHON} PYTHONDONTWRITEBYTECODE=1)
  endforeach()
  cpl_lb_may_have_company(coupled_predict coupled_settings) # what they compare holds however busy the machine is
endif()
