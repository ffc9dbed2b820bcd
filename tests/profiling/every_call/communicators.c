#include "every_call.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

/* Size, rank, and a sum over the processes, so that it is used; then it is freed. */
static void use(const char *what, MPI_Comm comm) {
    int values[3] = {-1, -1, 0}, inter = 0;
    if (comm == MPI_COMM_NULL) {
        show(what, values, 0);
        return;
    }
    MPI_Comm_size(comm, &values[0]);
    MPI_Comm_rank(comm, &values[1]);
    MPI_Allreduce(&rank, &values[2], 1, I, MPI_SUM, comm);
    MPI_Comm_test_inter(comm, &inter);
    show(what, values, 3);
    if (inter) {
        MPI_Comm_disconnect(&comm);
    } else {
        MPI_Comm_free(&comm);
    }
    const int freed = comm == MPI_COMM_NULL;
    show("freed", &freed, 1);
}

static void of_a_communicator(void) {
    MPI_Comm made;
    MPI_Request request;
    MPI_Group all, one;
    MPI_Comm_dup(W, &made);
    use("Comm_dup", made);
    MPI_Comm_dup_with_info(W, MPI_INFO_NULL, &made);
    use("Comm_dup_with_info", made);
    MPI_Comm_dup(W, &made);
    MPI_Comm_set_info(made, no_hints);
    use("Comm_set_info", made);
    MPI_Comm_idup(W, &made, &request);
    MPI_Wait(&request, NONE);
    use("Comm_idup", made);
#if MPI_VERSION >= 4
    MPI_Comm_idup_with_info(W, MPI_INFO_NULL, &made, &request);
    MPI_Wait(&request, NONE);
    use("Comm_idup_with_info", made);
#endif
    MPI_Comm_group(W, &all);
    const int first = 0;
    MPI_Group_incl(all, 1, &first, &one);
    MPI_Comm_create(W, one, &made);
    use("Comm_create", made);
    MPI_Comm_create_group(W, all, 3, &made);
    use("Comm_create_group", made);
    MPI_Comm_split(W, rank, 0, &made);
    use("Comm_split", made);
    MPI_Comm_split(W, rank == 0 ? MPI_UNDEFINED : 1, 0, &made);
    use("Comm_split of one", made);
    MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    use("Comm_split_type", made);
    MPI_Group_free(&all);
    MPI_Group_free(&one);
}

static void between_two(void) {
    MPI_Comm self, inter, merged;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Intercomm_create(self, 0, W, other, 5, &inter);
    MPI_Intercomm_merge(inter, rank, &merged);
    use("Intercomm_merge", merged);
    use("Intercomm_create", inter);
    MPI_Comm_free(&self);
}

static void topologies(void) {
    MPI_Comm made, sub;
    const int dims[2] = {2, 1}, periods[2] = {1, 0}, remain[2] = {1, 0};
    MPI_Cart_create(W, 2, dims, periods, 0, &made);
    MPI_Cart_sub(made, remain, &sub);
    use("Cart_sub", sub);
    use("Cart_create", made);
    const int indices[2] = {1, 2}, edges[2] = {1, 0}, one = 1, weight = 3;
    MPI_Graph_create(W, 2, indices, edges, 0, &made);
    use("Graph_create", made);
    MPI_Dist_graph_create(W, 1, &rank, &one, &other, &weight, MPI_INFO_NULL, 0, &made);
    use("Dist_graph_create", made);
    MPI_Dist_graph_create_adjacent(W, 1, &other, &weight, 1, &other, &weight, MPI_INFO_NULL, 0, &made);
    use("Dist_graph_create_adjacent", made);
}

/* Not every machine lets a program start others, or meet them: then it is the error that has to be the same. */
static void meet(const char *what, int code, MPI_Comm *made) {
    int there = -1;
    if (code == MPI_SUCCESS) {
        MPI_Comm_remote_size(*made, &there);
        MPI_Comm_disconnect(made);
    } else {
        MPI_Error_class(code, &code);
        show("error", &code, 1);
    }
    show(what, &there, 1);
}

static void with_other_programs(void) {
    MPI_Comm comm, made = MPI_COMM_NULL;
    MPI_Comm_dup(W, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    char argument[] = "child", path[1000];
    snprintf(path, sizeof path, "%s", own_path);
    char *argv[2] = {argument, NULL}, *commands[1] = {path}, **arguments[1] = {argv};
    int code = -1, one = 1;
    MPI_Info info = MPI_INFO_NULL;
    meet("Comm_spawn", MPI_Comm_spawn(path, argv, 1, info, 0, comm, &made, &code), &made);
    meet("Comm_spawn_multiple", MPI_Comm_spawn_multiple(1, commands, arguments, &one, &info, 0, comm, &made, &code),
         &made);
    MPI_Comm_free(&comm);
}

static void by_a_port(void) {
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm self, made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(self, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN); /* not every machine has ports */
    const int open = rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, W);
    if (rank == 0) {
        meet("Comm_accept", MPI_Comm_accept(port, MPI_INFO_NULL, 0, self, &made), &made);
        if (open) MPI_Close_port(port);
    } else {
        meet("Comm_connect", MPI_Comm_connect(port, MPI_INFO_NULL, 0, self, &made), &made);
    }
    MPI_Comm_free(&self);
}

/* A socket between the two processes. */
static int connection(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    const int socket_here = socket(AF_INET, SOCK_STREAM, 0);
    if (rank == 1) {
        MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, W);
        return connect(socket_here, (struct sockaddr *)&address, length) == 0 ? socket_here : -1;
    }
    const int ready = bind(socket_here, (struct sockaddr *)&address, length) == 0 && listen(socket_here, 1) == 0;
    getsockname(socket_here, (struct sockaddr *)&address, &length);
    MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, W);
    const int accepted = ready ? accept(socket_here, NULL, NULL) : -1;
    close(socket_here);
    return accepted;
}

static void by_a_socket(void) {
    MPI_Comm made = MPI_COMM_NULL;
    const int fd = connection();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* OpenMPI asks this one, MPICH the other */
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    meet("Comm_join", MPI_Comm_join(fd, &made), &made);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_ARE_FATAL);
    close(fd);
}

#if MPI_VERSION >= 4
static void from_groups(void) {
    MPI_Group all, here, there;
    MPI_Comm made;
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, 1, &rank, &here);
    MPI_Group_incl(all, 1, &other, &there);
    MPI_Comm_create_from_group(all, "everybody", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    use("Comm_create_from_group", made);
    MPI_Intercomm_create_from_groups(here, 0, there, 0, "both", MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    use("Intercomm_create_from_groups", made);
    MPI_Group_free(&all);
    MPI_Group_free(&here);
    MPI_Group_free(&there);
}
#endif

void communicators(void) {
    of_a_communicator();
    between_two();
    topologies();
    with_other_programs();
    by_a_port();
    by_a_socket();
#if MPI_VERSION >= 4
    from_groups();
#endif
}
