# Machines and the roofline: no MPI.
function(cpl_lb_projection_test name)
  cpl_lb_unit_test(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE cpl_lb_projection)
endfunction()
cpl_lb_projection_test(machine_file machine_file_test.cpp)
