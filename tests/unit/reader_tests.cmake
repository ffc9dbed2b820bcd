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
cpl_lb_reader_test(reader_nvml reader_nvml.cpp)
cpl_lb_reader_test(reader_perf reader_perf.cpp)
cpl_lb_reader_test(reader_perf_real reader_perf_real.cpp)
cpl_lb_reader_test(reader_papi reader_papi.cpp)
cpl_lb_reader_test(reader_counters reader_counters.cpp)
cpl_lb_reader_test(reader_report reader_report.cpp)
cpl_lb_reader_test(reader_platform reader_platform.cpp)
cpl_lb_reader_test(reader_papi_real reader_papi_real.cpp)

foreach(test reader_nvml reader_papi reader_counters reader_report)
  target_compile_definitions(${test} PRIVATE PAPI_STUB="$<TARGET_FILE:papi_stub>" NVML_STUB="$<TARGET_FILE:nvml_stub>"
    NOT_PAPI="$<TARGET_FILE:not_papi>")
  add_dependencies(${test} papi_stub nvml_stub not_papi)
endforeach()

# Where perf events or PAPI do not work these say why; ctest shows the test as skipped.
set_tests_properties(reader_perf_real reader_papi_real PROPERTIES SKIP_REGULAR_EXPRESSION "cpl_lb skips: ")

# The same on machines whose processor PAPI does not know (a sanitizer must be the first library, not the shim).
if(TARGET pfm_shim AND NOT CPL_LB_SANITIZE)
  add_test(NAME reader_papi_software COMMAND reader_papi_real)
  add_dependencies(reader_papi_real pfm_shim)
  set_tests_properties(reader_papi_software PROPERTIES ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:pfm_shim>"
    SKIP_REGULAR_EXPRESSION "cpl_lb skips: ")
endif()

include("${PROJECT_SOURCE_DIR}/tests/bench/reader_cost.cmake")
add_test(NAME reader_cost COMMAND reader_cost 200) # that it runs; figures need more repeats
