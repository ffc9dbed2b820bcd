# Spool files and what recovery makes of them.
cpl_lb_unit_test(spool_file spool_test.cpp)
target_link_libraries(spool_file PRIVATE $<TARGET_OBJECTS:cpl_lb_record> $<TARGET_OBJECTS:cpl_lb_recovery>)
