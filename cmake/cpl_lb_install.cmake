# What `cmake --install` leaves: the command, and with MPI the libraries, headers, Fortran source and package files.
# A .mod file is not installed: it serves one compiler only.
include(CMakePackageConfigHelpers)
set(CPL_LB_DATA_DIR "${CMAKE_INSTALL_DATADIR}/cpl_lb")
set(CPL_LB_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/cpl_lb")

install(FILES README.md CHANGELOG.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET cpl-lb)
  set_target_properties(cpl-lb PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS cpl-lb RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  # What the command says of itself: manual pages and completion. Not where this machine cannot run it.
  if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
    set(cpl_lb_manual "${PROJECT_BINARY_DIR}/manual")
    add_custom_command(OUTPUT "${cpl_lb_manual}/man1/cpl-lb.1" "${cpl_lb_manual}/cpl-lb" "${cpl_lb_manual}/_cpl-lb"
      COMMAND cpl-lb manual "${cpl_lb_manual}/man1"
      COMMAND cpl-lb manual completion bash > "${cpl_lb_manual}/cpl-lb"
      COMMAND cpl-lb manual completion zsh > "${cpl_lb_manual}/_cpl-lb"
      DEPENDS cpl-lb VERBATIM)
    add_custom_target(cpl_lb_manual ALL DEPENDS "${cpl_lb_manual}/man1/cpl-lb.1")
    install(DIRECTORY "${cpl_lb_manual}/man1" DESTINATION "${CMAKE_INSTALL_MANDIR}")
    install(FILES "${cpl_lb_manual}/cpl-lb" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${cpl_lb_manual}/_cpl-lb" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
  endif()
endif()
if(TARGET cpl-lb-pingpong)
  set_target_properties(cpl-lb-pingpong PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS cpl-lb-pingpong RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES packaging/cpl-lb-pingpong.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()

# The Python module, where Debian's python3 looks if the prefix is /usr (docs/python.md).
install(DIRECTORY packaging/python/cpl_lb DESTINATION "${CPL_LB_PYTHON_DIR}"
  FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)

# The namelist as an example is the block of its page that has all settings.
file(READ docs/namelist.md cpl_lb_page)
string(REGEX MATCH "&namcpl_lb\n[^`]*\n/\n" cpl_lb_namelist "${cpl_lb_page}")
if(NOT cpl_lb_namelist)
  message(FATAL_ERROR "docs/namelist.md has no namelist")
endif()
file(WRITE "${PROJECT_BINARY_DIR}/namelist_cpl_lb" "${cpl_lb_namelist}")
install(FILES "${PROJECT_BINARY_DIR}/namelist_cpl_lb" DESTINATION "${CPL_LB_DATA_DIR}")

# Tables of Balaji et al. 2017, for comparisons and scripts.
file(GLOB cpl_lb_tables data/balaji2017_table*.csv)
install(FILES ${cpl_lb_tables} DESTINATION "${CPL_LB_DATA_DIR}")
# The machines that the command knows by name, and the kernels of the papers: to read and to copy.
install(DIRECTORY data/machines data/kernels data/workflows data/runs DESTINATION "${CPL_LB_DATA_DIR}")

if(NOT CPL_LB_MPI)
  return()
endif()

# Libraries; the linker's names lead to the ones that say which MPI they are for.
set_target_properties(cpl_lb PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(cpl_lb_static PROPERTIES EXPORT_NAME static)
install(TARGETS cpl_lb EXPORT cpl_lbTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS cpl_lb_static EXPORT cpl_lbStaticTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/linker_names")
foreach(end .so .a)
  file(CREATE_LINK libcpl_lb-${CPL_LB_MPI_NAME}${end} "${PROJECT_BINARY_DIR}/linker_names/libcpl_lb${end}" SYMBOLIC)
  install(FILES "${PROJECT_BINARY_DIR}/linker_names/libcpl_lb${end}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()

install(FILES include/cpl_lb/cpl_lb.h include/cpl_lb/cpl_lb_manager.h include/cpl_lb/cpl_lb.hpp
  "${PROJECT_BINARY_DIR}/include/cpl_lb/version.h"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/cpl_lb")
install(FILES fortran_bindings/cpl_lb.f90 DESTINATION "${CPL_LB_DATA_DIR}")
install(DIRECTORY examples DESTINATION "${CPL_LB_DATA_DIR}" USE_SOURCE_PERMISSIONS
  PATTERN "build*" EXCLUDE PATTERN "examples/CMakeLists.txt" EXCLUDE)

# Adapters: sources, and the linker's options for makefiles, one file for each coupler and naming of the compilers.
install(DIRECTORY libcpl_lb/adapters/ DESTINATION "${CPL_LB_DATA_DIR}/adapters" USE_SOURCE_PERMISSIONS)
include(cpl_lb_adapters)
foreach(coupler mct oasis)
  foreach(names gfortran intel)
    string(COMPARE EQUAL "${names}" intel intel)
    cpl_lb_wrap_options(options ${coupler} ${intel})
    list(JOIN options "\n" lines)
    file(WRITE "${PROJECT_BINARY_DIR}/adapters/wrap_${coupler}.${names}" "${lines}\n")
  endforeach()
endforeach()
cpl_lb_wrap_options(options yac OFF)
list(JOIN options "\n" lines)
file(WRITE "${PROJECT_BINARY_DIR}/adapters/wrap_yac" "${lines}\n") # the same for all compilers
install(DIRECTORY "${PROJECT_BINARY_DIR}/adapters/" DESTINATION "${CPL_LB_DATA_DIR}/adapters")
include(cpl_lb_archives)

# CMake package. What the MPI decides has a folder of its own, so that several MPIs share a prefix.
set(CPL_LB_NETCDF_LIBRARY_DIR "${NETCDF_LIBDIR}")
configure_package_config_file(cmake/cpl_lbConfig.cmake.in "${PROJECT_BINARY_DIR}/package/cpl_lbConfig.cmake"
  INSTALL_DESTINATION "${CPL_LB_CMAKE_DIR}" PATH_VARS CPL_LB_DATA_DIR)
configure_file(cmake/cpl_lbStatic.cmake.in "${PROJECT_BINARY_DIR}/package/cpl_lbStatic.cmake" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/cpl_lbConfigVersion.cmake"
  COMPATIBILITY SameMajorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/cpl_lbConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/cpl_lbConfigVersion.cmake" cmake/cpl_lb_mpi_name.cmake cmake/cpl_lb_fortran.cmake
  cmake/cpl_lb_adapters.cmake cmake/cpl_lb_own_flags.cmake
  DESTINATION "${CPL_LB_CMAKE_DIR}")
install(FILES "${PROJECT_BINARY_DIR}/package/cpl_lbStatic.cmake" DESTINATION "${CPL_LB_CMAKE_DIR}/${CPL_LB_MPI_NAME}")
install(EXPORT cpl_lbTargets NAMESPACE cpl_lb:: DESTINATION "${CPL_LB_CMAKE_DIR}/${CPL_LB_MPI_NAME}")
install(EXPORT cpl_lbStaticTargets NAMESPACE cpl_lb:: DESTINATION "${CPL_LB_CMAKE_DIR}/${CPL_LB_MPI_NAME}")

# pkg-config. Paths start from the file's own place, so that the folder may be moved.
function(cpl_lb_pc_path variable folder)
  if(IS_ABSOLUTE "${folder}")
    set(${variable} "${folder}" PARENT_SCOPE)
  else()
    set(${variable} "\${prefix}/${folder}" PARENT_SCOPE)
  endif()
endfunction()
cpl_lb_pc_path(CPL_LB_PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
cpl_lb_pc_path(CPL_LB_PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
cpl_lb_pc_path(CPL_LB_PC_DATADIR "${CMAKE_INSTALL_DATADIR}")
file(RELATIVE_PATH CPL_LB_PC_TO_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" CPL_LB_PC_TO_PREFIX "${CPL_LB_PC_TO_PREFIX}")

list(JOIN NETCDF_LDFLAGS " " cpl_lb_netcdf_flags)
list(JOIN MPI_C_LIBRARIES " " cpl_lb_mpi_flags)
set(cpl_lb_private_libraries "${cpl_lb_netcdf_flags} -lstdc++ -lm -lpthread -ldl ${cpl_lb_mpi_flags}")
set(cpl_lb_search "-L\${libdir}")
if(NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
  string(APPEND cpl_lb_search " -Wl,-rpath,\${libdir}") # found at run time, too
endif()
# Each file twice: cpl_lb-openmpi.pc and cpl_lb.pc. Where several MPIs share a prefix, the first names one of them, and
# the second is that of the last one installed. Neither needs the linker's names.
function(cpl_lb_pc name which)
  set(CPL_LB_PC_WHICH "${which}")
  configure_file(cmake/cpl_lb.pc.in "${PROJECT_BINARY_DIR}/package/${name}.pc" @ONLY)
  set(files "${PROJECT_BINARY_DIR}/package/${name}.pc")
  if(NOT CPL_LB_MPI_NAME STREQUAL "mpi") # an unknown MPI
    configure_file(cmake/cpl_lb.pc.in "${PROJECT_BINARY_DIR}/package/${name}-${CPL_LB_MPI_NAME}.pc" @ONLY)
    list(APPEND files "${PROJECT_BINARY_DIR}/package/${name}-${CPL_LB_MPI_NAME}.pc")
  endif()
  install(FILES ${files} DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()
set(CPL_LB_PC_LIBS "Libs: ${cpl_lb_search} -lcpl_lb-${CPL_LB_MPI_NAME}\nLibs.private: ${cpl_lb_private_libraries}")
cpl_lb_pc(cpl_lb "")
# Where both libraries lie side by side, -lcpl_lb takes the shared one, with --static too.
set(CPL_LB_PC_LIBS "Libs: -L\${libdir} -l:libcpl_lb-${CPL_LB_MPI_NAME}.a ${cpl_lb_private_libraries}")
cpl_lb_pc(cpl_lb-static " (static library)")
set(CPL_LB_PC_LIBS "Libs: ${cpl_lb_search} -l:libcpl_lb_mpi-${CPL_LB_MPI_NAME}.so.${PROJECT_VERSION_MAJOR}")
cpl_lb_pc(cpl_lb-mpi " (recorder at the level of MPI: ahead of MPI's libraries)")
