# Prediction and balancing: no MPI.
function(cpl_lb_prediction_test name)
  cpl_lb_unit_test(${name} ${ARGN} $<TARGET_OBJECTS:cpl_lb_prediction>
    $<TARGET_OBJECTS:cpl_lb_balancing>)
endfunction()
cpl_lb_prediction_test(prediction_graph prediction_graph_test.cpp)
cpl_lb_prediction_test(prediction_run prediction_run_test.cpp)
cpl_lb_prediction_test(prediction_curve prediction_curve_test.cpp)
cpl_lb_prediction_test(prediction_balance prediction_balance_test.cpp)
cpl_lb_prediction_test(prediction_pools prediction_pools_test.cpp)
cpl_lb_prediction_test(prediction_manager prediction_manager_test.cpp)
cpl_lb_prediction_test(prediction_parts prediction_parts_test.cpp)
