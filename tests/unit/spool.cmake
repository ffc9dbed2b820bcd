# Marks to events; spool files and what recovery makes of them.
cpl_lb_unit_test(record_decode decode_test.cpp)
target_link_libraries(record_decode PRIVATE $<TARGET_OBJECTS:cpl_lb_record>)
cpl_lb_unit_test(record_whole_event_times whole_event_times_test.cpp)
target_link_libraries(record_whole_event_times PRIVATE $<TARGET_OBJECTS:cpl_lb_record>)
cpl_lb_unit_test(spool_file spool_test.cpp)
cpl_lb_unit_test(tool_bars tool_bars_test.cpp "${PROJECT_SOURCE_DIR}/libcpl_lb/tools/bars.cpp"
  "${PROJECT_SOURCE_DIR}/libcpl_lb/tools/progress_of_run.cpp")
target_link_libraries(tool_bars PRIVATE $<TARGET_OBJECTS:cpl_lb_record> $<TARGET_OBJECTS:cpl_lb_recovery> $<TARGET_OBJECTS:cpl_lb_balancing>)
target_link_libraries(spool_file PRIVATE $<TARGET_OBJECTS:cpl_lb_record> $<TARGET_OBJECTS:cpl_lb_recovery> $<TARGET_OBJECTS:cpl_lb_balancing>)
