# `cpack` in the build folder: what `cmake --install` leaves, as one archive to unpack anywhere. Its name says the MPI.
set(cpl_lb_archive_mpi "no-mpi")
if(CPL_LB_MPI)
  set(cpl_lb_archive_mpi "${CPL_LB_MPI_NAME}")
endif()
set(CPACK_PACKAGE_FILE_NAME
  "cpl_lb-${PROJECT_VERSION}-${cpl_lb_archive_mpi}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_VENDOR "the cpl_lb developers")
set(CPACK_GENERATOR TGZ)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
