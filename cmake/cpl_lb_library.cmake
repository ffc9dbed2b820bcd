# The library that models link: everything that knows MPI, and the shared and static library made of all rooms.

target_link_libraries(cpl_lb_mpi_half PRIVATE cpl_lb_settings MPI::MPI_C Threads::Threads)
# MPI's own C++ bindings are long gone, but their headers still come with mpi.h.
target_compile_definitions(cpl_lb_mpi_half PRIVATE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
target_include_directories(cpl_lb_mpi_half PRIVATE "${PROJECT_SOURCE_DIR}/libcpl_lb"
  "${PROJECT_SOURCE_DIR}/include" "${PROJECT_BINARY_DIR}/include")
set_target_properties(cpl_lb_mpi_half PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

get_property(cpl_lb_objects GLOBAL PROPERTY CPL_LB_OBJECTS_IN_MODELS)
list(APPEND cpl_lb_objects $<TARGET_OBJECTS:cpl_lb_mpi_half> $<TARGET_OBJECTS:cpl_lb_fmt>)

add_library(cpl_lb SHARED ${cpl_lb_objects})
set_target_properties(cpl_lb PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
# Instantiations of the standard library would be exported otherwise.
target_link_options(cpl_lb PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/cpl_lb.map")
set_target_properties(cpl_lb PROPERTIES LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/cpl_lb.map")

if(NOT cpl_lb_top_level)
  # With fast arithmetic some compilers link code that switches denormal numbers off when the library is loaded.
  target_link_options(cpl_lb PRIVATE -fno-fast-math)
endif()

add_library(cpl_lb_static STATIC ${cpl_lb_objects})

# A library for one MPI must never meet a program of another: its name, and so its SONAME, says which it is for.
foreach(library cpl_lb cpl_lb_static)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME cpl_lb-${CPL_LB_MPI_NAME} LINKER_LANGUAGE CXX)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PUBLIC $<BUILD_INTERFACE:MPI::MPI_C> $<INSTALL_INTERFACE:cpl_lb::mpi_interface>)
  # mpi.h, which cpl_lb.h includes, brings a C++ program MPI's C++ bindings of old; some MPIs have them in a library.
  target_link_libraries(${library} INTERFACE $<BUILD_INTERFACE:$<$<LINK_LANGUAGE:CXX>:MPI::MPI_CXX>>)
endforeach()
target_link_libraries(cpl_lb PRIVATE $<BUILD_INTERFACE:PkgConfig::NETCDF> Threads::Threads ${CMAKE_DL_LIBS})
target_link_libraries(cpl_lb_static PRIVATE $<BUILD_INTERFACE:PkgConfig::NETCDF> $<INSTALL_INTERFACE:cpl_lb::netcdf>
  Threads::Threads ${CMAKE_DL_LIBS})
if(CPL_LB_SANITIZE)
  target_link_options(cpl_lb PUBLIC $<BUILD_INTERFACE:-fsanitize=${CPL_LB_SANITIZE}>)
  target_link_options(cpl_lb_static PUBLIC $<BUILD_INTERFACE:-fsanitize=${CPL_LB_SANITIZE}>)
endif()

add_library(cpl_lb::cpl_lb ALIAS cpl_lb)
add_library(cpl_lb::static ALIAS cpl_lb_static)
