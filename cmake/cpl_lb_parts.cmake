# What this build has of cpl_lb's optional parts, and what is missing without them: told when it is configured, and by
# `cpl-lb --version`.
set(cpl_lb_parts "")
# cpl_lb_part(NAME HAS WITH WITHOUT): one line; HAS is an expression of if()
function(cpl_lb_part name has with without)
  if(${has})
    string(APPEND cpl_lb_parts "${name}: ${with}\n")
  else()
    string(APPEND cpl_lb_parts "${name}: no; ${without}\n")
  endif()
  set(cpl_lb_parts "${cpl_lb_parts}" PARENT_SCOPE)
endfunction()

set(cpl_lb_archives "")
foreach(archive OASIS_MODULES MCT_MODULES YAC_ADAPTER)
  if(CPL_LB_MPI AND CPL_LB_${archive})
    string(REGEX REPLACE "_.*" "" coupler "${archive}")
    list(APPEND cpl_lb_archives "${coupler}")
  endif()
endforeach()
list(JOIN cpl_lb_archives ", " cpl_lb_archives)

# Debian's packages have one command for all MPIs.
set(CPL_LB_OTHER_MPIS "" CACHE STRING "MPIs for which the library is built apart, into the same folders: cpl-lb --version names them")
list(JOIN CPL_LB_OTHER_MPIS ", " cpl_lb_mpis)
if(cpl_lb_mpis)
  string(PREPEND cpl_lb_mpis ", ")
endif()
cpl_lb_part("MPI" CPL_LB_MPI "${CPL_LB_MPI_NAME}${cpl_lb_mpis}"
  "without it there is no library for models, no cpl-lb-record and no cpl-lb-pingpong (-DCPL_LB_MPI=ON)")
if(CPL_LB_MPI)
  cpl_lb_part("Fortran" CPL_LB_FORTRAN "yes"
    "without it there are no Fortran examples and no archives for OASIS and MCT; cpl_lb.f90 is installed all the same (-DCPL_LB_FORTRAN=ON)")
  cpl_lb_part("Adapters as archives" cpl_lb_archives "${cpl_lb_archives}"
    "cpl_lb_build_adapter.sh makes them from the installed sources (docs/installation.md)")
endif()
set(cpl_lb_has_projection false) # C++'s word
if(CPL_LB_COMMAND)
  if(CPL_LB_PROJECTION)
    set(cpl_lb_has_projection true)
  endif()
  cpl_lb_part("Models of other machines" CPL_LB_PROJECTION "yes"
    "without them there is no cpl-lb machine (-DCPL_LB_PROJECTION=ON)")
  cpl_lb_part("OTF2" CPL_LB_HAS_OTF2 "yes"
    "without it cpl-lb export --to otf2 is refused (Debian: libotf2-trace-dev)")
else()
  string(APPEND cpl_lb_parts "Command: no; there will be no cpl-lb (-DCPL_LB_COMMAND=ON)\n")
endif()
string(APPEND cpl_lb_parts
  "Opened when it runs, where the system has them: PAPI, libpfm4, NVML (cpl-lb counters tells what works), zlib")

if(cpl_lb_top_level)
  string(REPLACE "\n" "\n--   " cpl_lb_summary "${cpl_lb_parts}")
  message(STATUS "cpl_lb ${PROJECT_VERSION} will have\n--   ${cpl_lb_summary}")
endif()
configure_file("${PROJECT_SOURCE_DIR}/libcpl_lb/tools/parts.hpp.in" "${PROJECT_BINARY_DIR}/include/parts.hpp" @ONLY)
