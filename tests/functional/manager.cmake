# The run-time manager: its interface, and a malleable model that moves its processes.
add_executable(manager_api manager_api_test.cpp $<TARGET_OBJECTS:cpl_lb_catch_main>)
target_link_libraries(manager_api PRIVATE cpl_lb_settings cpl_lb::cpl_lb Catch2::Catch2)
target_compile_definitions(manager_api PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
add_test(NAME manager_api COMMAND manager_api)
set_tests_properties(manager_api PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
