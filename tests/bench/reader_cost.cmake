add_executable(reader_cost "${CMAKE_CURRENT_LIST_DIR}/reader_cost.cpp")
target_link_libraries(reader_cost PRIVATE cpl_lb_settings $<TARGET_OBJECTS:cpl_lb_meters>
  $<TARGET_OBJECTS:cpl_lb_record> $<TARGET_OBJECTS:cpl_lb_pure> ${CMAKE_DL_LIBS} Threads::Threads)
target_include_directories(reader_cost PRIVATE "${PROJECT_SOURCE_DIR}/libcpl_lb")
