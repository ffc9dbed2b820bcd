# fmt enters the library as source, compiled once (libcpl_lb/support/fmt.hpp says how all files see it).
add_library(cpl_lb_fmt STATIC "${PROJECT_SOURCE_DIR}/libcpl_lb/support/fmt.cpp")
target_compile_features(cpl_lb_fmt PRIVATE cxx_std_20)
target_include_directories(cpl_lb_fmt PRIVATE "${PROJECT_SOURCE_DIR}/libcpl_lb")
target_include_directories(cpl_lb_fmt SYSTEM PRIVATE "${CPL_LB_FMT_INCLUDE}")
target_compile_options(cpl_lb_fmt PRIVATE ${cpl_lb_own_flags}) # empty in a build of its own
if(CPL_LB_SANITIZE)
  target_compile_options(cpl_lb_fmt PRIVATE -fsanitize=${CPL_LB_SANITIZE} -fno-omit-frame-pointer)
endif()
set_target_properties(cpl_lb_fmt PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
target_link_libraries(cpl_lb_settings INTERFACE cpl_lb_fmt)
