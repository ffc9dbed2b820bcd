# Memory, energy and counters of models whose own are known.
cpl_lb_model(meter_scenarios meter_scenarios.cpp)

cpl_lb_scenario_test(meters_test meters_test.cpp)
target_compile_definitions(meters_test PRIVATE
  TIME_NAMESPACE_SCRIPT="${CMAKE_CURRENT_SOURCE_DIR}/in_time_namespace.sh")
add_dependencies(meters_test meter_scenarios perf_works rocm_smi_stub)
cpl_lb_scenario_needs(meters_test time_namespace ${cpl_lb_needs_time_namespace})
cpl_lb_scenario_needs(meters_test perf "right to count by perf events" $<TARGET_FILE:perf_works>)
