// Scope guards over the C interface: an event or a region ends when its guard leaves the scope.
#ifndef CPL_LB_CPL_LB_HPP
#define CPL_LB_CPL_LB_HPP

#include <cpl_lb/cpl_lb.h>

namespace cpl_lb {

class [[nodiscard]] Event {
public:
    Event(int kind, int field) noexcept : kind_(kind), field_(field) { cpl_lb_begin(kind_, field_); }
    ~Event() { cpl_lb_end(kind_, field_); }
    Event(const Event &) = delete;
    Event &operator=(const Event &) = delete;

private:
    int kind_;
    int field_;
};

class [[nodiscard]] Region {
public:
    explicit Region(int region) noexcept : region_(region) { cpl_lb_region_begin(region_); }
    ~Region() { cpl_lb_region_end(region_); }
    Region(const Region &) = delete;
    Region &operator=(const Region &) = delete;

private:
    int region_;
};

} // namespace cpl_lb

#endif
