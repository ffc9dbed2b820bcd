# For POWER (ppc64le) on another processor, as aarch64-linux-gnu.cmake for ARM.
set(CPL_LB_FOREIGN ppc64le)
set(CPL_LB_FOREIGN_TRIPLET powerpc64le-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/foreign.cmake")
