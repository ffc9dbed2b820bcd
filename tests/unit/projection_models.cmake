# Models of other machines: no MPI.
function(cpl_lb_models_test name)
  cpl_lb_unit_test(${name} ${ARGN} $<TARGET_OBJECTS:cpl_lb_prediction>
    $<TARGET_OBJECTS:cpl_lb_balancing>)
  target_link_libraries(${name} PRIVATE cpl_lb_projection)
  target_compile_definitions(${name} PRIVATE CPL_LB_KERNELS="${PROJECT_SOURCE_DIR}/data/kernels")
endfunction()
cpl_lb_models_test(projection_gpu projection_gpu_test.cpp)
cpl_lb_models_test(projection_loops projection_loops_test.cpp)
cpl_lb_models_test(projection_energy projection_energy_test.cpp)
cpl_lb_models_test(projection_queue projection_queue_test.cpp)
cpl_lb_unit_test(tool_project tool_project_test.cpp)
target_compile_definitions(tool_project PRIVATE CPL_LB_COMMAND="$<TARGET_FILE:cpl-lb>"
  CPL_LB_KERNELS="${PROJECT_SOURCE_DIR}/data/kernels")
add_dependencies(tool_project cpl-lb)
