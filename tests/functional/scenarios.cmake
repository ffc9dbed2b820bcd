# Real MPI runs with known answers.
function(cpl_lb_model name) # cpl_lb_model(NAME SOURCE...): a program with the library
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE cpl_lb_settings cpl_lb::cpl_lb Threads::Threads)
  target_compile_definitions(${name} PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
endfunction()
cpl_lb_model(scenarios scenarios.cpp scenarios_balance.cpp scenarios_adversity.cpp
  scenarios_faults.cpp scenarios_map.cpp scenarios_memory.cpp scenarios_verdict.cpp)

# What runs a scenario and looks at what it left.
add_library(cpl_lb_run_scenario OBJECT run_scenario.cpp picture_check.cpp balance_check.cpp)
cpl_lb_test_settings(cpl_lb_run_scenario)
target_link_libraries(cpl_lb_run_scenario PRIVATE PkgConfig::NETCDF nlohmann_json::nlohmann_json)
target_compile_definitions(cpl_lb_run_scenario PRIVATE
  SCENARIOS_MPIEXEC="${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}")

# name: the test; it links io to read the timelines back.
function(cpl_lb_scenario_test name)
  cpl_lb_test_target(${name} ${ARGN} $<TARGET_OBJECTS:cpl_lb_run_scenario> cpl_lb_catch_main)
  target_link_libraries(${name} PRIVATE cpl_lb_report cpl_lb_io PkgConfig::NETCDF
    nlohmann_json::nlohmann_json)
  add_dependencies(${name} scenarios)
  # See cpl_lb_scenario_needs; [memory] is a test of its own for its length.
  add_test(NAME ${name} COMMAND ${name} "~[time_namespace]~[mount]~[perf]~[spawn]~[memory]~[strict]")
  cpl_lb_scenario_properties(${name})
endfunction()

function(cpl_lb_scenario_properties name)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)
  cpl_lb_runs_alone(${name})
  cpl_lb_runs_mpi(${name})
endfunction()

# The cases of PROGRAM that not every machine can run, by their tag: a test of its own.
function(cpl_lb_scenario_needs program tag what condition)
  cpl_lb_test_with_needs(${program}_${tag} "${what}" "${condition}" $<TARGET_FILE:${program}> "[${tag}]")
  cpl_lb_scenario_properties(${program}_${tag})
endfunction()

cpl_lb_scenario_test(functional_test functional_test.cpp adversity_test.cpp)
cpl_lb_scenario_test(map_test map_test.cpp)
if(TARGET cpl-lb)
  cpl_lb_scenario_test(verdict_test verdict_test.cpp)
  add_dependencies(verdict_test cpl-lb)
endif()

# A run that changes.
if(TARGET cpl-lb)
  cpl_lb_model(changing_model changing_model.cpp)
  add_test(NAME changing_test COMMAND "${CPL_LB_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/changing_test.py"
    "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:changing_model> $<TARGET_FILE:cpl-lb>
    "${CMAKE_CURRENT_BINARY_DIR}/changing")
  set_tests_properties(changing_test PROPERTIES TIMEOUT 300)
  cpl_lb_runs_alone(changing_test)
  cpl_lb_runs_mpi(changing_test CPL_LB_ENABLED=1 PYTHONDONTWRITEBYTECODE=1)
endif()

# One component, with and without the library: jobs in which not every executable has it.
cpl_lb_model(stranger_with stranger.cpp)
target_compile_definitions(stranger_with PRIVATE WITH_LIBRARY)
add_executable(stranger_without stranger.cpp)
target_link_libraries(stranger_without PRIVATE cpl_lb_settings MPI::MPI_C)
target_compile_definitions(stranger_without PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
cpl_lb_scenario_test(stranger_test stranger_test.cpp)
target_compile_definitions(stranger_test PRIVATE SCENARIOS_NUMPROC_FLAG="${MPIEXEC_NUMPROC_FLAG}")
add_dependencies(stranger_test stranger_with stranger_without)
cpl_lb_may_have_company(stranger_test)
# The same as with an MPI that ends the model for a message that nobody receives, which MPICH does from 4.1 on.
add_library(strict MODULE "${PROJECT_SOURCE_DIR}/tests/stubs/strict.c")
target_link_libraries(strict PRIVATE MPI::MPI_C)
if(CPL_LB_MPI_NAME STREQUAL "mpich" AND NOT CPL_LB_SANITIZE)
  add_test(NAME stranger_test_strict COMMAND stranger_test)
  set_tests_properties(stranger_test_strict PROPERTIES TIMEOUT 600)
  cpl_lb_runs_alone(stranger_test_strict)
  cpl_lb_runs_mpi(stranger_test_strict "LD_PRELOAD=$<TARGET_FILE:strict>:${cpl_lb_waits_sleep_library}")
endif()

# Each order in which processes come to cpl_lb_init, with receives that take anything from anybody.
cpl_lb_model(arrival_with arrival.cpp)
target_compile_definitions(arrival_with PRIVATE WITH_LIBRARY)
add_executable(arrival_without arrival.cpp)
target_link_libraries(arrival_without PRIVATE cpl_lb_settings MPI::MPI_C)
target_compile_definitions(arrival_without PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
cpl_lb_scenario_test(arrival_test arrival_test.cpp)
target_link_libraries(arrival_test PRIVATE Threads::Threads)
target_compile_definitions(arrival_test PRIVATE SCENARIOS_NUMPROC_FLAG="${MPIEXEC_NUMPROC_FLAG}" ARRIVAL_JOBS_AT_ONCE=8
  ARRIVAL_EACH=$<IF:$<STREQUAL:${CPL_LB_MPI_NAME},mpich>,3,1>)
add_dependencies(arrival_test arrival_with arrival_without)
cpl_lb_may_have_company(arrival_test)

cpl_lb_scenario_test(clock_test clock_test.cpp)
target_compile_definitions(clock_test PRIVATE
  TIME_NAMESPACE_SCRIPT="${CMAKE_CURRENT_SOURCE_DIR}/in_time_namespace.sh")
add_dependencies(clock_test skewed_clock)
cpl_lb_scenario_needs(clock_test time_namespace ${cpl_lb_needs_time_namespace})

if(NOT CPL_LB_SANITIZE) # the sanitizers' own memory would be measured
  cpl_lb_scenario_test(memory_test memory_test.cpp)
  cpl_lb_may_have_company(memory_test)
endif()

add_library(stopped MODULE "${PROJECT_SOURCE_DIR}/tests/stubs/stopped.c")
target_link_libraries(stopped PRIVATE MPI::MPI_C)
cpl_lb_scenario_test(stopped_test stopped_test.cpp)
add_dependencies(stopped_test stopped)
cpl_lb_scenario_test(suspended_test suspended_test.cpp)
target_link_libraries(suspended_test PRIVATE Threads::Threads)
target_compile_definitions(suspended_test PRIVATE SCENARIOS_NUMPROC_FLAG="${MPIEXEC_NUMPROC_FLAG}"
  SUSPENDED_JOBS_AT_ONCE=8
  $<$<STREQUAL:${CPL_LB_MPI_NAME},mpich>:CPL_LB_TEST_MPICH>)
add_dependencies(suspended_test stopped strict stranger_with stranger_without)
cpl_lb_may_have_company(stopped_test suspended_test)

# Libraries that make one thing fail.
add_library(faults MODULE "${PROJECT_SOURCE_DIR}/tests/stubs/faults.c")
target_link_libraries(faults PRIVATE MPI::MPI_C)
add_library(faults_netcdf MODULE "${PROJECT_SOURCE_DIR}/tests/stubs/faults_netcdf.c")
target_link_libraries(faults_netcdf PRIVATE PkgConfig::NETCDF ${CMAKE_DL_LIBS})
add_library(faults_new MODULE "${PROJECT_SOURCE_DIR}/tests/stubs/faults_new.cpp")
if(NOT CPL_LB_SANITIZE) # the sanitizers bring their own allocation
  cpl_lb_scenario_test(faults_test faults_test.cpp)
  add_dependencies(faults_test faults faults_netcdf faults_new strict)
  cpl_lb_scenario_needs(faults_test mount ${cpl_lb_needs_mount})
  add_test(NAME faults_test_memory COMMAND faults_test "[memory]")
  cpl_lb_scenario_properties(faults_test_memory)
  cpl_lb_may_have_company(faults_test faults_test_memory)
  set_tests_properties(faults_test PROPERTIES COST 100 TIMEOUT 600) # the longest one: it begins first
endif()

add_test(NAME ferret_paper_script COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/ferret.sh"
  "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}" $<TARGET_FILE:scenarios> "${PROJECT_SOURCE_DIR}/tests/data/appendix2.jnl")
set_tests_properties(ferret_paper_script PROPERTIES TIMEOUT 120)
cpl_lb_runs_mpi(ferret_paper_script)

# A hybrid model. ThreadSanitizer does not see how gcc's OpenMP library joins its threads: it would find races in the
# model itself; what the library does with calls of other threads it sees in functional_test ("threads").
if(NOT CPL_LB_SANITIZE MATCHES "thread")
  find_package(OpenMP QUIET COMPONENTS CXX)
  cpl_lb_tests_need(OpenMP_CXX_FOUND "a C++ compiler with OpenMP" g++)
  add_executable(openmp_model openmp_model.cpp)
  target_link_libraries(openmp_model PRIVATE cpl_lb_settings cpl_lb::cpl_lb OpenMP::OpenMP_CXX)
  target_compile_definitions(openmp_model PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
  cpl_lb_scenario_test(openmp_test openmp_test.cpp)
  add_dependencies(openmp_test openmp_model)
endif()
