# What the toolchains of other processors share. They set CPL_LB_FOREIGN, CMake's and qemu's name of the processor, and
# CPL_LB_FOREIGN_TRIPLET, Debian's. CPL_LB_FOREIGN_ROOT: the folder with the packages of that processor.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CPL_LB_FOREIGN_ROOT)
if(NOT CPL_LB_FOREIGN_ROOT)
  get_filename_component(CPL_LB_FOREIGN_ROOT "${CMAKE_CURRENT_LIST_DIR}/../../build/root-${CPL_LB_FOREIGN}" ABSOLUTE)
endif()
if(NOT EXISTS "${CPL_LB_FOREIGN_ROOT}/usr/include")
  message(FATAL_ERROR "cpl_lb: there are no packages for ${CPL_LB_FOREIGN} in ${CPL_LB_FOREIGN_ROOT}: first "
    "cmake/foreign_root.sh ${CPL_LB_FOREIGN}, or -DCPL_LB_FOREIGN_ROOT=FOLDER")
endif()
get_filename_component(CPL_LB_FOREIGN_ROOT "${CPL_LB_FOREIGN_ROOT}" REALPATH) # libraries are not found through a link

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CPL_LB_FOREIGN})
set(CMAKE_SYSROOT "${CPL_LB_FOREIGN_ROOT}")
set(CMAKE_LIBRARY_ARCHITECTURE ${CPL_LB_FOREIGN_TRIPLET})
set(CMAKE_C_COMPILER ${CPL_LB_FOREIGN_TRIPLET}-gcc)
set(CMAKE_CXX_COMPILER ${CPL_LB_FOREIGN_TRIPLET}-g++)
set(CMAKE_Fortran_COMPILER ${CPL_LB_FOREIGN_TRIPLET}-gfortran)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-${CPL_LB_FOREIGN}-static;-L;${CPL_LB_FOREIGN_ROOT}")

# Programs are this machine's, libraries and headers the other's.
set(CMAKE_FIND_ROOT_PATH "${CPL_LB_FOREIGN_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CPL_LB_FOREIGN_ROOT}")
set(ENV{PKG_CONFIG_LIBDIR}
  "${CPL_LB_FOREIGN_ROOT}/usr/lib/${CPL_LB_FOREIGN_TRIPLET}/pkgconfig:${CPL_LB_FOREIGN_ROOT}/usr/share/pkgconfig")

# This machine's wrappers of OpenMPI tell what to compile and link with; the folders are the other's.
set(ENV{OPAL_LIBDIR} "${CPL_LB_FOREIGN_ROOT}/usr/lib/${CPL_LB_FOREIGN_TRIPLET}/openmpi/lib")
set(ENV{OPAL_INCLUDEDIR} "${CPL_LB_FOREIGN_ROOT}/usr/lib/${CPL_LB_FOREIGN_TRIPLET}/openmpi/include")
find_program(MPI_C_COMPILER mpicc.openmpi)
find_program(MPI_CXX_COMPILER mpicxx.openmpi)
find_program(MPI_Fortran_COMPILER mpifort.openmpi)
set(MPIEXEC_EXECUTABLE "${CPL_LB_FOREIGN_ROOT}/usr/bin/orterun" CACHE FILEPATH "")
