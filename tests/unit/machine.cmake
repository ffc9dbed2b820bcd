# Machines and the roofline: no MPI.
function(cpl_lb_projection_test name)
  cpl_lb_unit_test(${name} ${ARGN} $<TARGET_OBJECTS:cpl_lb_toml> $<TARGET_OBJECTS:cpl_lb_machine>
    $<TARGET_OBJECTS:cpl_lb_roofline>)
endfunction()
cpl_lb_projection_test(machine_file machine_file_test.cpp)

cpl_lb_projection_test(measuring measuring_test.cpp)
target_link_libraries(measuring PRIVATE cpl_lb_measuring $<TARGET_OBJECTS:cpl_lb_readers> ${CMAKE_DL_LIBS})
cpl_lb_projection_test(roofline roofline_test.cpp)
foreach(tool machine roofline)
  cpl_lb_projection_test(tool_${tool} tool_${tool}_test.cpp)
  target_compile_definitions(tool_${tool} PRIVATE CPL_LB_COMMAND="$<TARGET_FILE:cpl-lb>")
  add_dependencies(tool_${tool} cpl-lb)
endforeach()
