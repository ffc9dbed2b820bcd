# Machines and the roofline: no MPI.
function(cpl_lb_projection_test name)
  cpl_lb_unit_test(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE cpl_lb_projection)
endfunction()
cpl_lb_projection_test(machine_file machine_file_test.cpp)

cpl_lb_projection_test(measuring measuring_test.cpp)
target_link_libraries(measuring PRIVATE cpl_lb_measuring $<TARGET_OBJECTS:cpl_lb_readers> ${CMAKE_DL_LIBS})
cpl_lb_projection_test(tool_machine tool_machine_test.cpp)
target_compile_definitions(tool_machine PRIVATE CPL_LB_COMMAND="$<TARGET_FILE:cpl-lb>")
add_dependencies(tool_machine cpl-lb)
