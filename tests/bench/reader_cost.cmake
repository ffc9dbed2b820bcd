add_executable(reader_cost "${CMAKE_CURRENT_LIST_DIR}/reader_cost.cpp")
target_link_libraries(reader_cost PRIVATE cpl_lb_settings cpl_lb_meters
  ${CMAKE_DL_LIBS})
target_include_directories(reader_cost PRIVATE "${PROJECT_SOURCE_DIR}/libcpl_lb")
