# All files of a run lie in one folder of the root's file system; nothing of another run is mixed with them.
add_executable(folder_model folder_model.cpp)
target_link_libraries(folder_model PRIVATE cpl_lb_settings cpl_lb::cpl_lb)
foreach(case nodes at_once pipes spool_gone)
  add_test(NAME folders_${case} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/folders_test.sh" ${case} "${PROJECT_BINARY_DIR}"
    "$<TARGET_FILE:folder_model>" "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}")
  set_tests_properties(folders_${case} PROPERTIES TIMEOUT 120 SKIP_REGULAR_EXPRESSION "cpl_lb skips: " ENVIRONMENT
    "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1")
endforeach()
