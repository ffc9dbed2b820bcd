# Meters while a model runs, without MPI.
cpl_lb_test_target(metering metering_test.cpp $<TARGET_OBJECTS:cpl_lb_catch_main>)
target_link_libraries(metering PRIVATE $<TARGET_OBJECTS:cpl_lb_metering> $<TARGET_OBJECTS:cpl_lb_readers>
  $<TARGET_OBJECTS:cpl_lb_record> $<TARGET_OBJECTS:cpl_lb_pure> Threads::Threads ${CMAKE_DL_LIBS})
add_test(NAME metering COMMAND metering)
