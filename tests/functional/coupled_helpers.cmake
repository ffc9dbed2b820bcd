# cpl_lb_fortran_run(TARGET PROCESSES ON|OFF): the program with the library switched on or off, in a folder of its own.
function(cpl_lb_fortran_run target processes state)
  if(state)
    set(enabled 1)
  else()
    set(enabled 0)
  endif()
  string(TOLOWER "${target}_${processes}_${state}" name)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/run_${name}")
  file(MAKE_DIRECTORY "${folder}")
  add_test(NAME ${name} WORKING_DIRECTORY "${folder}"
    COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${processes} $<TARGET_FILE:${target}>)
  set_tests_properties(${name} PROPERTIES PROCESSORS ${processes} TIMEOUT 120 ENVIRONMENT
    "CPL_LB_ENABLED=${enabled};OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;ASAN_OPTIONS=detect_leaks=0")
endfunction()
