# What docs/meters.md promises: a meter is one file and one row. The template is copied twice, as its first comment says,
# into a copy of the room: once as it is, once as a counter that each process reads. Nothing else is written.
set(room "${PROJECT_SOURCE_DIR}/libcpl_lb/meters")
set(copy "${CMAKE_CURRENT_BINARY_DIR}/copied_meter")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${room}/rows.inc" "${room}/template_reader.cpp"
  "${room}/CMakeLists.txt")
set(rows
  "METER(load, node, always, listed, \"\", \"load average\", \"load average of the node\")"
  "METER(load_counter, process, always, listed, \"\", \"load counter\", \"a counter for the test\")")

file(READ "${room}/template_reader.cpp" template)
string(REPLACE "TemplateReader" "LoadReader" load "${template}")
string(REPLACE "make_template_reader" "make_load_reader" load "${load}")
string(REPLACE "\"template\"" "\"load\"" load "${load}")
string(REPLACE "LoadReader" "LoadCounterReader" load_counter "${load}")
string(REPLACE "make_load_reader" "make_load_counter_reader" load_counter "${load_counter}")
string(REPLACE "\"load\"" "\"load_counter\"" load_counter "${load_counter}")
string(REPLACE "Measure::gauge" "Measure::counter" load_counter "${load_counter}")
string(REPLACE "Scope::node" "Scope::process" load_counter "${load_counter}")
file(READ "${room}/rows.inc" rows_before)
string(REPLACE ";" "\n" rows_after "${rows}")
# Written where they have changed only, so that they are not compiled again at each configuration.
foreach(meter load load_counter)
  file(CONFIGURE OUTPUT "${copy}/meters/${meter}_reader.cpp" CONTENT "${${meter}}" @ONLY)
endforeach()
file(CONFIGURE OUTPUT "${copy}/meters/rows.inc" CONTENT "${rows_before}${rows_after}\n" @ONLY)
file(COPY "${room}/CMakeLists.txt" DESTINATION "${copy}/meters")

# The library's own objects, but for the table: that is compiled with the new rows.
get_target_property(objects cpl_lb SOURCES)
string(REPLACE "$<TARGET_OBJECTS:cpl_lb_meters>"
  "$<FILTER:$<TARGET_OBJECTS:cpl_lb_meters>,EXCLUDE,/table\\.cpp\\.>" objects "${objects}")
add_executable(copied_meter_model copied_meter_model.cpp "${room}/table.cpp" "${copy}/meters/load_reader.cpp"
  "${copy}/meters/load_counter_reader.cpp" ${objects})
target_include_directories(copied_meter_model BEFORE PRIVATE "${copy}")
target_include_directories(copied_meter_model PRIVATE "${PROJECT_SOURCE_DIR}/libcpl_lb"
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
target_link_libraries(copied_meter_model PRIVATE cpl_lb_settings MPI::MPI_C PkgConfig::NETCDF Threads::Threads
  ${CMAKE_DL_LIBS})
target_compile_definitions(copied_meter_model PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)

cpl_lb_scenario_test(copied_meter_test copied_meter_test.cpp)
target_compile_definitions(copied_meter_test PRIVATE
  CPL_LB_COMMAND="$<$<TARGET_EXISTS:cpl-lb>:$<TARGET_FILE:cpl-lb>>")
add_dependencies(copied_meter_test copied_meter_model)
if(TARGET cpl-lb)
  add_dependencies(copied_meter_test cpl-lb)
endif()

# A build of the room itself takes the new files without being told.
add_test(NAME copied_meter_is_compiled COMMAND "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_SOURCE_DIR}/copied_meter"
  -B "${copy}/build" -G "${CMAKE_GENERATOR}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DROOM=${copy}/meters"
  -DFILES=load_reader.cpp,load_counter_reader.cpp)
