# For ARM (aarch64) on another processor: Debian's cross compilers, and the folder with ARM's own packages that
# cmake/foreign_root.sh fills. What is built runs under qemu-user. The preset aarch64 uses it.
set(CPL_LB_FOREIGN aarch64)
set(CPL_LB_FOREIGN_TRIPLET aarch64-linux-gnu)
include("${CMAKE_CURRENT_LIST_DIR}/foreign.cmake")
