# All files of a run lie in one folder of the root's file system; nothing of another run is mixed with them.
cpl_lb_model(folder_model folder_model.cpp)
add_executable(planter planter.cpp)
target_link_libraries(planter PRIVATE cpl_lb_settings)
foreach(case at_once pipes spool_gone planted watched server)
  set(command "${CMAKE_CURRENT_SOURCE_DIR}/folders_test.sh" ${case} "${PROJECT_BINARY_DIR}" $<TARGET_FILE:folder_model>
    "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:planter> $<TARGET_FILE:stops_at>)
  if(case STREQUAL "server")
    cpl_lb_test_with_needs(folders_${case} "root and bindfs" "[ $(id -u) = 0 ] && command -v bindfs && [ -c /dev/fuse ]"
      ${command})
  else()
    add_test(NAME folders_${case} COMMAND ${command})
  endif()
  set_tests_properties(folders_${case} PROPERTIES TIMEOUT 120)
  cpl_lb_runs_mpi(folders_${case})
endforeach()
