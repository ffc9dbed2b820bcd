# Tests of the readers link only those: no netCDF, no analysis.
function(cpl_lb_reader_test name)
  cpl_lb_test_target(${name} ${ARGN} $<TARGET_OBJECTS:cpl_lb_catch_main>)
  target_link_libraries(${name} PRIVATE $<TARGET_OBJECTS:cpl_lb_readers> ${CMAKE_DL_LIBS})
  add_test(NAME ${name} COMMAND ${name})
endfunction()

cpl_lb_reader_test(reader_memory reader_memory.cpp)
cpl_lb_reader_test(reader_rapl reader_rapl.cpp)
cpl_lb_reader_test(reader_energy reader_energy.cpp)
cpl_lb_reader_test(reader_sampler reader_sampler.cpp)
