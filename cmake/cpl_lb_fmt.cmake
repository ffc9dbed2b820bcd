# fmt enters the library as source, and is compiled once (libcpl_lb/fmt_once.cpp says why), or in every file where the
# fmt at hand is arranged differently.
set(cpl_lb_fmt_once "${PROJECT_SOURCE_DIR}/libcpl_lb/fmt_once.cpp")
if(NOT DEFINED CPL_LB_FMT_ONCE)
  message(CHECK_START "Compiling fmt once")
  try_compile(CPL_LB_FMT_ONCE "${PROJECT_BINARY_DIR}/fmt_check"
    SOURCES "${PROJECT_SOURCE_DIR}/cmake/fmt_check.cpp" "${cpl_lb_fmt_once}"
    COMPILE_DEFINITIONS -Dfmt=cpl_lb_fmt ${cpl_lb_own_flags} CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
  if(CPL_LB_FMT_ONCE)
    message(CHECK_PASS "works")
  else()
    message(CHECK_FAIL "does not link: header-only")
  endif()
endif()

if(CPL_LB_FMT_ONCE)
  add_library(cpl_lb_fmt STATIC "${cpl_lb_fmt_once}")
  target_compile_features(cpl_lb_fmt PRIVATE cxx_std_20)
  target_compile_definitions(cpl_lb_fmt PRIVATE fmt=cpl_lb_fmt)
  target_compile_options(cpl_lb_fmt PRIVATE ${cpl_lb_own_flags}) # empty in a build of its own
  if(CPL_LB_SANITIZE)
    target_compile_options(cpl_lb_fmt PRIVATE -fsanitize=${CPL_LB_SANITIZE} -fno-omit-frame-pointer)
  endif()
  set_target_properties(cpl_lb_fmt PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(cpl_lb_settings INTERFACE fmt=cpl_lb_fmt)
  target_link_libraries(cpl_lb_settings INTERFACE cpl_lb_fmt)
  set(cpl_lb_fmt_objects $<TARGET_OBJECTS:cpl_lb_fmt>)
else()
  target_compile_definitions(cpl_lb_settings INTERFACE FMT_HEADER_ONLY=1)
  set(cpl_lb_fmt_objects "")
endif()
