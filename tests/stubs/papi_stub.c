/* Stands in for PAPI. Its behaviour comes from the environment:
 *   PAPI_STUB_FAIL=<function>[=<error>]  that call fails, e.g. "start=-15", "read" (default error -3)
 *   PAPI_STUB_FAIL_EVENT=<code>          only for sets that hold this event
 *   PAPI_STUB_COUNTERS=<n>               the processor has n counters: adding one more is a conflict
 *   PAPI_STUB_VERSION=<major>            version of the library, default 7
 *   PAPI_STUB_READS=<n>                  PAPI_read succeeds n times, then fails
 * Events: "EVENT_<n>" has code n and component n / 10; its count is 100 n + the number of reads of its set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ok = 0, system_error = -3, no_event = -7, conflict = -8, invalid = -1, is_running = -10, no_set = -11 };
enum { max_sets = 64, max_events = 16 };

struct event_set {
    int used, running, count, reads;
    int codes[max_events];
};

static struct event_set sets[max_sets];
static int total_reads;

int PAPI_library_init(int version);
int PAPI_event_name_to_code(const char *name, int *code);
int PAPI_get_event_component(int code);
int PAPI_create_eventset(int *set);
int PAPI_add_event(int set, int code);
int PAPI_start(int set);
int PAPI_read(int set, long long *values);
int PAPI_stop(int set, long long *values);
int PAPI_cleanup_eventset(int set);
int PAPI_destroy_eventset(int *set);
char *PAPI_strerror(int error);
int papi_stub_sets_in_use(void);
int papi_stub_reset(void);

static int number_from(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text != NULL ? atoi(text) : otherwise;
}

/* The error that the environment asks `function` to give for a set (or for one event's code). */
static int wanted_failure(const char *function, const struct event_set *set, int code) {
    const char *text = getenv("PAPI_STUB_FAIL");
    const size_t length = strlen(function);
    const int only_event = number_from("PAPI_STUB_FAIL_EVENT", 0);
    if (text == NULL || strncmp(text, function, length) != 0) return ok;
    if (text[length] != '\0' && text[length] != '=') return ok;
    if (only_event != 0) {
        int holds = code == only_event;
        for (int i = 0; set != NULL && i < set->count; ++i)
            holds = holds || set->codes[i] == only_event;
        if (!holds) return ok;
    }
    return text[length] == '=' ? atoi(text + length + 1) : system_error;
}

static struct event_set *find_set(int set) {
    return set >= 0 && set < max_sets && sets[set].used ? &sets[set] : NULL;
}

int PAPI_library_init(int version) {
    const int failure = wanted_failure("library_init", NULL, 0);
    if (failure != ok) return failure;
    return version == number_from("PAPI_STUB_VERSION", 7) << 24 ? version : invalid;
}

int PAPI_event_name_to_code(const char *name, int *code) {
    const int is_preset = strcmp(name, "PAPI_DP_OPS") == 0; /* as EVENT_9 */
    const int known = is_preset || sscanf(name, "EVENT_%d", code) == 1;
    if (is_preset) *code = 9;
    const int failure = wanted_failure("event_name_to_code", NULL, known ? *code : 0);
    if (failure != ok) return failure;
    return known ? ok : no_event;
}

int PAPI_get_event_component(int code) {
    return code / 10;
}

int PAPI_create_eventset(int *set) {
    const int failure = wanted_failure("create_eventset", NULL, 0);
    if (failure != ok) return failure;
    for (int i = 0; i < max_sets; ++i) {
        if (sets[i].used) continue;
        memset(&sets[i], 0, sizeof sets[i]);
        sets[i].used = 1;
        *set = i;
        return ok;
    }
    return system_error;
}

int PAPI_add_event(int set, int code) {
    struct event_set *found = find_set(set);
    const int failure = wanted_failure("add_event", found, code);
    if (failure != ok) return failure;
    if (found == NULL) return no_set;
    if (found->running) return is_running;
    if (found->count > 0 && found->codes[0] / 10 != code / 10) return invalid; /* another component */
    if (found->count >= number_from("PAPI_STUB_COUNTERS", max_events)) return conflict;
    found->codes[found->count++] = code;
    return ok;
}

int PAPI_start(int set) {
    struct event_set *found = find_set(set);
    const int failure = wanted_failure("start", found, 0);
    if (failure != ok) return failure;
    if (found == NULL) return no_set;
    for (int i = 0; i < max_sets; ++i) { /* one running set for each component */
        if (sets[i].used && sets[i].running && sets[i].codes[0] / 10 == found->codes[0] / 10) return is_running;
    }
    found->running = 1;
    return ok;
}

int PAPI_read(int set, long long *values) {
    struct event_set *found = find_set(set);
    const int failure = wanted_failure("read", found, 0);
    if (failure != ok) return failure;
    if (found == NULL) return no_set;
    if (total_reads++ >= number_from("PAPI_STUB_READS", 1 << 30)) return system_error;
    ++found->reads;
    for (int i = 0; i < found->count; ++i)
        values[i] = 100LL * found->codes[i] + found->reads;
    return ok;
}

int PAPI_stop(int set, long long *values) {
    struct event_set *found = find_set(set);
    (void)values;
    if (found == NULL) return no_set;
    found->running = 0;
    return ok;
}

int PAPI_cleanup_eventset(int set) {
    struct event_set *found = find_set(set);
    if (found == NULL) return no_set;
    found->count = 0;
    return found->running ? is_running : ok;
}

int PAPI_destroy_eventset(int *set) {
    struct event_set *found = find_set(*set);
    if (found == NULL) return no_set;
    found->used = 0;
    *set = -1;
    return ok;
}

char *PAPI_strerror(int error) {
    static char text[64];
    snprintf(text, sizeof text, "stub error %d", error);
    return text;
}

int papi_stub_sets_in_use(void) {
    int used = 0;
    for (int i = 0; i < max_sets; ++i)
        used += sets[i].used;
    return used;
}

int papi_stub_reset(void) {
    return total_reads = 0;
}
