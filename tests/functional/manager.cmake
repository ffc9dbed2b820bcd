# The run-time manager: its interface, and a malleable model that moves its processes.
add_executable(manager_api manager_api_test.cpp)
target_link_libraries(manager_api PRIVATE cpl_lb_settings cpl_lb::cpl_lb cpl_lb_catch cpl_lb_catch_main)
target_compile_definitions(manager_api PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
add_test(NAME manager_api COMMAND manager_api)
cpl_lb_runs_mpi(manager_api)

add_executable(manager_events manager_events_test.cpp)
target_link_libraries(manager_events PRIVATE cpl_lb_settings cpl_lb::cpl_lb cpl_lb_catch cpl_lb_catch_main)
target_compile_definitions(manager_events PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
add_test(NAME manager_events COMMAND manager_events)
cpl_lb_runs_mpi(manager_events CPL_LB_ENABLED=1 "CPL_LB_DIR=${CMAKE_CURRENT_BINARY_DIR}/run_manager_events")

# 12 sleeping processes are few for two cores; MPICH's collectives spin, so it gets fewer.
if(TARGET malleable)
  if(CPL_LB_MPI_NAME MATCHES "mpich")
    set(malleable_processes 10)
  else()
    set(malleable_processes 12)
  endif()
  add_test(NAME malleable COMMAND "${CPL_LB_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/malleable_test.py"
    ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} $<TARGET_FILE:malleable> ${malleable_processes})
  set_tests_properties(malleable PROPERTIES TIMEOUT 120)
  cpl_lb_runs_alone(malleable)
  cpl_lb_runs_mpi(malleable PYTHONDONTWRITEBYTECODE=1)
endif()
if(TARGET malleable_fortran)
  add_test(NAME malleable_fortran COMMAND "${CPL_LB_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/malleable_fortran_test.py"
    ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} $<TARGET_FILE:malleable_fortran> 8)
  set_tests_properties(malleable_fortran PROPERTIES TIMEOUT 120)
  cpl_lb_runs_alone(malleable_fortran)
  cpl_lb_runs_mpi(malleable_fortran PYTHONDONTWRITEBYTECODE=1 CPL_LB_ENABLED=1
    "CPL_LB_DIR=${CMAKE_CURRENT_BINARY_DIR}/run_malleable_fortran")
endif()
