/* A coupler of our own with the names of YAC 3's C functions: fields are one number, each component is one process,
 * and the couples are those of the table below. Run: 4 hours, over the end of the 28th of February of a leap year. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { run_s = 14400, most = 16 };
const int YAC_YAML_EMITTER_DEFAULT = 0, YAC_YAML_EMITTER_JSON = 7;

static const struct {
    const char *source, *source_field, *target, *target_field;
    int period, source_lag, target_lag, reduces;
} couples[] = {
    {"air", "tau", "sea", "tau", 3600, 0, 0, 1},         {"air", "tau", "ice", "stress", 7200, 0, 0, 0},
    {"sea", "sst", "air", "sst", 3600, 1, 1, 0},         {"air_output", "cloud", "ice", "cloud", 7200, 0, 0, 0},
    {"wind", "stress", "wave", "stress", 1800, 1, 0, 0}, {"wind", "stress", "drift", "stress", 1800, 0, 0, 0},
    {"wave", "height", "wind", "height", 1800, 0, 0, 0}};
enum { n_couples = 7 };

static const char json[] =
    "{ \"start_date\": \"2000-02-28T22:00:00.000\", \"debug\": {\"on\": [true, 1e3, {}, []]},\n \"coupling\": [\n"
    "{\"src_component\": \"air\", \"tgt_component\": \"sea\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": [\"tau\"], \"coupling_period\": \"PT01H\", \"src_lag\": 0, \"tgt_lag\": 0},\n"
    "{\"src_component\": \"air\", \"tgt_component\": \"ice\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": {\"src\": \"tau\", \"tgt\": \"stress\"}, \"coupling_period\": \"PT02H\", \"src_lag\": 0},\n"
    "{\"src_component\": \"sea\", \"tgt_component\": \"air\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": \"sst\", \"coupling_period\": \"PT01H\", \"src_lag\": 1, \"tgt_lag\": 1},\n"
    "{\"src_component\": \"air_output\", \"tgt_component\": \"ice\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": \"cloud\", \"coupling_period\": \"PT02H\", \"src_lag\": 0, \"tgt_lag\": 0},\n"
    "{\"src_component\": \"wind\", \"tgt_component\": \"wave\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": \"stress\", \"coupling_period\": \"PT30M\", \"src_lag\": 1, \"tgt_lag\": 0},\n"
    "{\"src_component\": \"wind\", \"tgt_component\": \"drift\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": \"stress\", \"coupling_period\": \"PT30M\", \"src_lag\": 0, \"tgt_lag\": 0},\n"
    "{\"src_component\": \"wave\", \"tgt_component\": \"wind\", \"src_grid\": \"g\", \"tgt_grid\": \"g\",\n"
    " \"field\": \"height\", \"coupling_period\": \"PT30M\", \"src_lag\": 0, \"tgt_lag\": 0}]}\n";

static struct field {
    const char *component, *name;
    char step_text[32], datetime[32];
    int step, calls;
    MPI_Request request;
} fields[most];
static int n_fields;
static const char *components[most];
static int n_components, mpi_is_ours;
static MPI_Comm world = MPI_COMM_NULL;
static char names[most][2][32]; /* of all processes */

void yac_mpi_init(void) {
    int done;
    MPI_Initialized(&done);
    if (done) return;
    MPI_Init(NULL, NULL);
    mpi_is_ours = 1;
}
const char *yac_cget_mpi_handshake_group_name(void) {
    return "yac";
}
void yac_cmpi_handshake(MPI_Comm comm, size_t n, const char **group_names, MPI_Comm *groups) {
    MPI_Comm group;
    const int member = n > 0 && strcmp(group_names[0], "yac") == 0;
    MPI_Comm_split(comm, member ? 0 : MPI_UNDEFINED, 0, &group);
    if (member) groups[0] = group;
}
void yac_cinit_comm_instance(MPI_Comm comm, int *instance) {
    MPI_Comm_split(comm, 0, 0, &world);
    *instance = 1;
}
void yac_cinit_comm(MPI_Comm comm) {
    int instance;
    yac_cinit_comm_instance(comm, &instance);
}
void yac_cinit_comm_f2c(MPI_Fint comm) {
    yac_cinit_comm(MPI_Comm_f2c(comm));
}
void yac_cinit_comm_instance_f2c(MPI_Fint comm, int *instance) {
    yac_cinit_comm_instance(MPI_Comm_f2c(comm), instance);
}
void yac_cinit_instance(int *instance) {
    MPI_Comm group;
    const char *name = "yac";
    yac_mpi_init();
    yac_cmpi_handshake(MPI_COMM_WORLD, 1, &name, &group);
    yac_cinit_comm_instance(group, instance);
    MPI_Comm_free(&group);
}
void yac_cinit(void) {
    int instance;
    yac_cinit_instance(&instance);
}
void yac_cinit_dummy(void) {
    yac_mpi_init();
    yac_cmpi_handshake(MPI_COMM_WORLD, 0, NULL, NULL);
}

void yac_cpredef_comp_instance(int instance, const char *name, int *id) {
    (void)instance;
    *id = n_components;
    components[n_components++] = name;
}
void yac_cpredef_comp(const char *name, int *id) {
    yac_cpredef_comp_instance(1, name, id);
}
void yac_cdef_comps_instance(int instance, const char **given, int n, int *ids) {
    char mine[2][32] = {"", ""};
    for (int i = 0; i < n; ++i)
        yac_cpredef_comp_instance(instance, given[i], ids + i);
    for (int i = 0; i < n_components && i < 2; ++i)
        snprintf(mine[i], sizeof mine[i], "%s", components[i]);
    MPI_Allgather(mine, sizeof mine, MPI_CHAR, names, sizeof mine, MPI_CHAR, world);
}
void yac_cdef_comps(const char **given, int n, int *ids) {
    yac_cdef_comps_instance(1, given, n, ids);
}
void yac_cdef_comp_instance(int instance, const char *name, int *id) {
    yac_cdef_comps_instance(instance, &name, 1, id);
}
void yac_cdef_comp(const char *name, int *id) {
    yac_cdef_comps(&name, 1, id);
}
void yac_cdef_grid_reg2d(const char *name, int *n, int *cyclic, double *x, double *y, int *id) {
    (void)name, (void)n, (void)cyclic, (void)x, (void)y;
    *id = 1;
}
void yac_cdef_field(const char *name, int component, const int *points, int sets, int size, const char *step,
                    int unit, int *id) {
    (void)points, (void)sets, (void)size, (void)unit;
    struct field *f = &fields[n_fields];
    f->component = components[component];
    f->name = name;
    f->step = atoi(step);
    f->request = MPI_REQUEST_NULL;
    snprintf(f->step_text, sizeof f->step_text, "PT%dM%dS", f->step / 60, f->step % 60);
    *id = 100 + n_fields++;
}
static struct field *field(int id) {
    return &fields[id - 100];
}

void yac_cenddef_instance(int instance) {
    (void)instance;
    MPI_Barrier(world);
}
void yac_cenddef(void) {
    yac_cenddef_instance(1);
}
void yac_cenddef_and_emit_config_instance(int instance, int flags, char **config) {
    yac_cenddef_instance(instance);
    *config = malloc(sizeof json);
    memcpy(*config, flags == YAC_YAML_EMITTER_JSON ? json : "coupling: none\n",
           flags == YAC_YAML_EMITTER_JSON ? sizeof json : 16);
}
void yac_cenddef_and_emit_config(int flags, char **config) {
    yac_cenddef_and_emit_config_instance(1, flags, config);
}

const char *yac_cget_component_name_from_field_id(int id) {
    return field(id)->component;
}
const char *yac_cget_grid_name_from_field_id(int id) {
    (void)id;
    return "g";
}
const char *yac_cget_field_name_from_field_id(int id) {
    return field(id)->name;
}
const char *yac_cget_timestep_from_field_id(int id) {
    return field(id)->step_text;
}
int yac_cget_calendar(void) {
    return 1;
}
static char *copy(const char *text) {
    const size_t bytes = strlen(text) + 1;
    return memcpy(malloc(bytes), text, bytes);
}
char *yac_cget_start_datetime_instance(int instance) {
    (void)instance;
    return copy("2000-02-28T22:00:00.000");
}
char *yac_cget_start_datetime(void) {
    return yac_cget_start_datetime_instance(1);
}
char *yac_cget_end_datetime_instance(int instance) {
    (void)instance;
    return copy("2000-02-29T02:00:00.000");
}
char *yac_cget_end_datetime(void) {
    return yac_cget_end_datetime_instance(1);
}

static int is_source(const struct field *f, int c) {
    return strcmp(couples[c].source, f->component) == 0 && strcmp(couples[c].source_field, f->name) == 0;
}
static int is_target(const struct field *f, int c) {
    return strcmp(couples[c].target, f->component) == 0 && strcmp(couples[c].target_field, f->name) == 0;
}
static int role_of(const struct field *f) {
    for (int c = 0; c < n_couples; ++c) {
        if (is_source(f, c)) return 1;
        if (is_target(f, c)) return 2;
    }
    return 0;
}
#ifndef OLDER
int yac_cget_role_from_field_id(int id) {
    return role_of(field(id));
}
#endif
/* As YAC's: 0 nothing, 1 reduction, 2 coupling, 3 the last one of the run, 8 beyond its end. */
static int action_of(const struct field *f, int c) {
    const int lag = is_source(f, c) ? couples[c].source_lag : couples[c].target_lag;
    const int date = (f->calls + lag) * f->step;
    if (date > run_s) return 8;
    if (date % couples[c].period != 0) return is_source(f, c) ? couples[c].reduces : 0;
    return date == run_s ? 3 : 2;
}
void yac_cget_action(int id, int *action) {
    const int role = role_of(field(id));
    *action = 0;
    for (int c = 0; c < n_couples; ++c)
        if ((is_source(field(id), c) || is_target(field(id), c)) && action_of(field(id), c) > *action)
            *action = action_of(field(id), c);
    if (*action == 3) *action = role == 1 ? 5 : 4;
}
const char *yac_cget_field_datetime(int id) {
    struct field *f = field(id);
    int lag = 0;
    for (int c = n_couples - 1; c >= 0; --c)
        if (is_source(f, c) || is_target(f, c)) lag = is_source(f, c) ? couples[c].source_lag : couples[c].target_lag;
    const int s = (f->calls + lag) * f->step + 22 * 3600; /* since the 28th, 00:00 */
    snprintf(f->datetime, sizeof f->datetime, "2000-02-%dT%02d:%02d:%02d.000", 28 + s / 86400, s % 86400 / 3600,
             s % 3600 / 60, s % 60);
    return f->datetime;
}

static int rank_of(const char *component) {
    int rank = 0;
    while (strcmp(names[rank][0], component) != 0 && strcmp(names[rank][1], component) != 0)
        ++rank;
    return rank;
}
static void send(int id, double value, int *info, int *error) {
    struct field *f = field(id);
    yac_cget_action(id, info);
    *error = 0;
    for (int c = 0; c < n_couples; ++c) {
        const int action = is_source(f, c) ? action_of(f, c) : 0;
        if (action == 2 || action == 3) MPI_Send(&value, 1, MPI_DOUBLE, rank_of(couples[c].target), c, world);
    }
    ++f->calls;
}
static void receive(int id, double *value, int *info, int *error) {
    struct field *f = field(id);
    yac_cget_action(id, info);
    *error = 0;
    MPI_Wait(&f->request, MPI_STATUS_IGNORE);
    for (int c = 0; c < n_couples; ++c) {
        const int action = is_target(f, c) ? action_of(f, c) : 0;
        if (action == 2 || action == 3)
            MPI_Irecv(value, 1, MPI_DOUBLE, rank_of(couples[c].source), c, world, &f->request);
    }
    ++f->calls;
}
void yac_cwait(int id) {
    MPI_Wait(&field(id)->request, MPI_STATUS_IGNORE);
}
void yac_ctest(int id, int *flag) {
    MPI_Test(&field(id)->request, flag, MPI_STATUS_IGNORE);
}
void yac_cupdate(int id) {
    ++field(id)->calls;
}

/* The forms, as they call one another in YAC. */
void yac_cput_frac(int id, int n, double ***v, double ***mask, int *info, int *error) {
    (void)n, (void)mask;
    send(id, v[0][0][0], info, error);
}
void yac_cput(int id, int n, double ***v, int *info, int *error) {
    yac_cput_frac(id, n, v, NULL, info, error);
}
void yac_cput_frac_ptr_(int id, int n, double **v, double **mask, int *info, int *error) {
    (void)mask;
    yac_cput_frac(id, n, &v, NULL, info, error);
}
void yac_cput_ptr_(int id, int n, double **v, int *info, int *error) {
    yac_cput(id, n, &v, info, error);
}
void yac_cput_frac_(int id, int n, double *v, double *mask, int *info, int *error) {
    yac_cput_frac_ptr_(id, n, &v, &mask, info, error);
}
void yac_cput_(int id, int n, double *v, int *info, int *error) {
    yac_cput_ptr_(id, n, &v, info, error);
}
void yac_cget_async_(int id, int n, double *v, int *info, int *error) {
    (void)n;
    receive(id, v, info, error);
}
void yac_cget_async(int id, int n, double **v, int *info, int *error) {
    yac_cget_async_(id, n, v[0], info, error);
}
void yac_cget_(int id, int n, double *v, int *info, int *error) {
    yac_cget_async_(id, n, v, info, error);
    yac_cwait(id);
}
void yac_cget(int id, int n, double **v, int *info, int *error) {
    yac_cget_(id, n, v[0], info, error);
}
void yac_cget_raw(int id, int n, double ***v, int *info, int *error) {
    yac_cget(id, n, v[0], info, error);
}
void yac_cexchange_frac(int from, int to, int n, double ***sent, double ***mask, double **got, int *sent_info,
                        int *got_info, int *error) {
    yac_cput_frac(from, n, sent, mask, sent_info, error);
    yac_cget(to, n, got, got_info, error);
}
void yac_cexchange_(int from, int to, int n, double *sent, double *got, int *sent_info, int *got_info, int *error) {
    double **one = &sent;
    yac_cexchange_frac(from, to, n, &one, NULL, &got, sent_info, got_info, error);
}

void yac_ccleanup_instance(int instance) {
    (void)instance;
    MPI_Comm_free(&world);
    n_fields = n_components = 0;
}
void yac_ccleanup(void) {
    yac_ccleanup_instance(1);
}
void yac_cfinalize_instance(int instance) {
    yac_ccleanup_instance(instance);
    if (mpi_is_ours) MPI_Finalize();
}
void yac_cfinalize(void) {
    if (world != MPI_COMM_NULL) yac_ccleanup_instance(1);
    if (mpi_is_ours) MPI_Finalize();
}
