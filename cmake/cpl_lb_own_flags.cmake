# cpl_lb_own_flags: what C++ sources of cpl_lb need when another project compiles them (as a folder of its tree, or an
# adapter), whatever flags that project sets for all. They come last on the command line, and the last one holds:
# exceptions and type information are used, times and sums must be those of IEEE arithmetic (NaN means "not known"), the
# language is C++20, and a warning there is not the other project's error.
set(cpl_lb_own_flags -fexceptions -frtti -fno-fast-math -fno-finite-math-only -w ${CMAKE_CXX20_EXTENSION_COMPILE_OPTION})
