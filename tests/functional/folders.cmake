# All files of a run lie in one folder of the root's file system; nothing of another run is mixed with them.
add_executable(folder_model folder_model.cpp)
target_link_libraries(folder_model PRIVATE cpl_lb_settings cpl_lb::cpl_lb)
foreach(case nodes at_once pipes spool_gone)
  set(command "${CMAKE_CURRENT_SOURCE_DIR}/folders_test.sh" ${case} "${PROJECT_BINARY_DIR}" $<TARGET_FILE:folder_model>
    "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}")
  if(case STREQUAL "nodes")
    cpl_lb_test_with_needs(folders_${case} ${cpl_lb_needs_mount_namespace} ${command})
  else()
    add_test(NAME folders_${case} COMMAND ${command})
  endif()
  set_tests_properties(folders_${case} PROPERTIES TIMEOUT 120)
  cpl_lb_runs_mpi(folders_${case})
endforeach()
