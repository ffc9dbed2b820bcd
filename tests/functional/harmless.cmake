# What a library in an MPI program could disturb, and what may happen to it there (the table of docs/evidence/tested.md).
cpl_lb_model(harmless_scenarios harmless_scenarios.cpp harmless_state.cpp harmless_float.cpp harmless_leaving.cpp
  harmless_limits.cpp harmless_mpi.cpp process_state.cpp)
cpl_lb_scenario_test(harmless_test harmless_test.cpp)
add_dependencies(harmless_test harmless_scenarios)
cpl_lb_may_have_company(harmless_test)
# Some builds of MPI cannot spawn in some places: a program without the library tries it.
add_executable(spawn_works "${PROJECT_SOURCE_DIR}/tests/stubs/spawn_works.c")
target_link_libraries(spawn_works PRIVATE MPI::MPI_C)
add_dependencies(harmless_test spawn_works)
cpl_lb_scenario_needs(harmless_test spawn "MPI that spawns processes"
  "timeout 20 ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:spawn_works>")

# A model that loads and unloads what records, with the shared library and with the static one inside.
add_executable(unload_model unload_model.c)
target_link_libraries(unload_model PRIVATE cpl_lb_settings MPI::MPI_C ${CMAKE_DL_LIBS})
add_library(unload_plugin_shared MODULE unload_plugin.c)
target_link_libraries(unload_plugin_shared PRIVATE cpl_lb_settings cpl_lb::cpl_lb)
add_library(unload_plugin_static MODULE unload_plugin.c)
target_link_libraries(unload_plugin_static PRIVATE cpl_lb_settings cpl_lb::static)
set_target_properties(unload_plugin_static PROPERTIES LINKER_LANGUAGE CXX)
foreach(plugin unload_plugin_shared unload_plugin_static)
  set_target_properties(${plugin} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden)
endforeach()
add_dependencies(harmless_test unload_model unload_plugin_shared unload_plugin_static)
