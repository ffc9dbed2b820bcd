// Puts the adapters between a coupler and its callers. Compiled in the user's build, never part of libcpl_lb.
//
// Static coupler: the linker's --wrap=SYMBOL sends every call of SYMBOL from another object file here, and
// __real_SYMBOL is the coupler's own. Shared coupler: compiled with CPL_LB_ADAPTER_PRELOAD this is a library for
// LD_PRELOAD, which has the coupler's own names and finds the real ones behind it.
//
// The wrapped procedures are Fortran subroutines. All their arguments are addresses or hidden string lengths, one
// word each, so a fixed number of words is passed on whatever the version's argument list is: what lies behind the
// last argument is read from the caller's stack and nobody looks at it. So one source serves all versions.
#pragma once

#include "cpl_lb_shared.hpp"

#include <cstdint>

namespace cpl_lb::adapter {

using Word = void *;

} // namespace cpl_lb::adapter

#define CPL_LB_WORDS                                                                                                 \
    ::cpl_lb::adapter::Word a0, ::cpl_lb::adapter::Word a1, ::cpl_lb::adapter::Word a2, ::cpl_lb::adapter::Word a3,  \
        ::cpl_lb::adapter::Word a4, ::cpl_lb::adapter::Word a5, ::cpl_lb::adapter::Word a6,                          \
        ::cpl_lb::adapter::Word a7, ::cpl_lb::adapter::Word a8, ::cpl_lb::adapter::Word a9,                          \
        ::cpl_lb::adapter::Word a10, ::cpl_lb::adapter::Word a11, ::cpl_lb::adapter::Word a12,                       \
        ::cpl_lb::adapter::Word a13, ::cpl_lb::adapter::Word a14, ::cpl_lb::adapter::Word a15,                       \
        ::cpl_lb::adapter::Word a16, ::cpl_lb::adapter::Word a17, ::cpl_lb::adapter::Word a18,                       \
        ::cpl_lb::adapter::Word a19, ::cpl_lb::adapter::Word a20, ::cpl_lb::adapter::Word a21,                       \
        ::cpl_lb::adapter::Word a22, ::cpl_lb::adapter::Word a23
#define CPL_LB_PASS                                                                                                  \
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23

// Symbol of a module procedure: gfortran, or Intel (ifort, ifx) with CPL_LB_FORTRAN_INTEL.
#ifdef CPL_LB_FORTRAN_INTEL
#define CPL_LB_SYMBOL(MODULE, NAME) MODULE "_mp_" NAME "_"
#else
#define CPL_LB_SYMBOL(MODULE, NAME) "__" MODULE "_MOD_" NAME
#endif

// CPL_LB_WRAP(id, symbol) { ...; real_id(CPL_LB_PASS); ... }
#ifdef CPL_LB_ADAPTER_PRELOAD
#define CPL_LB_REAL(ID, SYMBOL)                                                                                      \
    static void real_##ID(CPL_LB_WORDS) {                                                                            \
        using Real = void (*)(CPL_LB_WORDS);                                                                         \
        static const Real real = reinterpret_cast<Real>(::cpl_lb::adapter::shared::next_of(SYMBOL));                 \
        real(CPL_LB_PASS);                                                                                           \
    }
#define CPL_LB_WRAP(ID, SYMBOL)                                                                                      \
    CPL_LB_REAL(ID, SYMBOL)                                                                                          \
    static void catch_##ID(CPL_LB_WORDS);                                                                            \
    static const ::cpl_lb::adapter::shared::Caught caught_##ID{SYMBOL, reinterpret_cast<void *>(&catch_##ID)};       \
    extern "C" __attribute__((visibility("default"))) void wrapped_##ID(CPL_LB_WORDS) __asm__(SYMBOL);               \
    void wrapped_##ID(CPL_LB_WORDS) {                                                                                \
        catch_##ID(CPL_LB_PASS);                                                                                     \
    }                                                                                                                \
    static void catch_##ID(CPL_LB_WORDS)
#else
#define CPL_LB_WRAP(ID, SYMBOL)                                                                                      \
    extern "C" void real_##ID(CPL_LB_WORDS) __asm__("__real_" SYMBOL);                                               \
    extern "C" void wrapped_##ID(CPL_LB_WORDS) __asm__("__wrap_" SYMBOL);                                            \
    static const ::cpl_lb::adapter::shared::Caught caught_##ID{SYMBOL, reinterpret_cast<void *>(&wrapped_##ID)};     \
    void wrapped_##ID(CPL_LB_WORDS)
#endif
