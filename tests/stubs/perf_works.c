/* Exit status 0 where this process may count its page faults by perf events; `perf_works kernel`: also what the
 * kernel does for it, which context switches need. The condition of the tests that count for real. */
#include <linux/perf_event.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv) {
    struct perf_event_attr wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.type = PERF_TYPE_SOFTWARE;
    wanted.config = PERF_COUNT_SW_PAGE_FAULTS;
    wanted.exclude_kernel = argc > 1 && strcmp(argv[1], "kernel") == 0 ? 0 : 1;
    const long file = syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0UL);
    uint64_t faults = 0;
    return file >= 0 && read((int)file, &faults, sizeof faults) == (ssize_t)sizeof faults ? 0 : 1;
}
