# Floating-point traps are on in every model that the tests run: the whole suite shows that the library does not feel
# them and leaves them on. What the programs of no model do (the command, the tests themselves) is none of it.
add_library(cpl_lb_traps_on OBJECT "${PROJECT_SOURCE_DIR}/tests/stubs/traps_on.c")
target_link_libraries(cpl_lb_traps_on PRIVATE cpl_lb_settings)
foreach(model scenarios harmless_scenarios unload_model stranger_with spool_scenarios meter_scenarios assertion_scenarios openmp_model manager_api
        names_fortran minimal_c minimal_cpp minimal_fortran malleable kernels_c kernels_fortran
        coupled_ocean coupled_atmosphere coupled_ioserver
        oasis_wrapped oasis_on_shared mct_wrapped mct_on_shared)
  if(TARGET ${model})
    target_sources(${model} PRIVATE $<TARGET_OBJECTS:cpl_lb_traps_on>)
  endif()
endforeach()

# The proof that they are on, and that a change is found. Most of ARM's processors have no traps.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  return()
endif()
add_executable(trap_fires "${PROJECT_SOURCE_DIR}/tests/stubs/trap_fires.c" $<TARGET_OBJECTS:cpl_lb_traps_on>)
target_link_libraries(trap_fires PRIVATE cpl_lb_settings)
add_test(NAME traps_are_on COMMAND sh -c "\"$1\"; test $? = 136; first=$?; \"$1\" off; test $? = 71 -a $first = 0" sh
  $<TARGET_FILE:trap_fires>)
set_tests_properties(traps_are_on PROPERTIES ENVIRONMENT
  "ASAN_OPTIONS=handle_sigfpe=0;TSAN_OPTIONS=handle_sigfpe=0;UBSAN_OPTIONS=handle_sigfpe=0")
