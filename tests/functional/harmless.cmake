# What a library in an MPI program could disturb, and what may happen to it there (the table of docs/tested.md).
add_executable(harmless_scenarios harmless_scenarios.cpp harmless_state.cpp harmless_float.cpp harmless_leaving.cpp
  harmless_limits.cpp process_state.cpp)
target_link_libraries(harmless_scenarios PRIVATE cpl_lb_settings cpl_lb::cpl_lb Threads::Threads)
target_compile_definitions(harmless_scenarios PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
cpl_lb_scenario_test(harmless_test harmless_test.cpp)
add_dependencies(harmless_test harmless_scenarios)
