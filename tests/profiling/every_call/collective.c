#include "every_call.h"

/* Each operation in all its forms: blocking, without waiting, persistent. FORMS(Name, iname, result, count,
 * arguments...) */
#define LATER(call, name, ...)                                                                                       \
    do {                                                                                                             \
        memset(to, 0, sizeof to);                                                                                    \
        MPI_Request request;                                                                                         \
        call(__VA_ARGS__, &request);                                                                                 \
        finish(name, &request, to, 8);                                                                               \
    } while (0)
#if defined(PERSISTENT)
#define PREPARED(call, name, ...)                                                                                    \
    do {                                                                                                             \
        memset(to, 0, sizeof to);                                                                                    \
        MPI_Request request;                                                                                         \
        call(__VA_ARGS__, MPI_INFO_NULL, &request);                                                                  \
        for (int i = 0; i < 2; ++i) {                                                                                \
            MPI_Start(&request);                                                                                     \
            MPI_Wait(&request, NONE);                                                                                \
        }                                                                                                            \
        MPI_Request_free(&request);                                                                                  \
        show(name "_init", to, 8);                                                                                   \
    } while (0)
#else
#define PREPARED(...)
#define PERSISTENT(name)
#endif
#define FORMS(Name, iname, ...)                                                                                      \
    do {                                                                                                             \
        memset(to, 0, sizeof to);                                                                                    \
        N(Name)(__VA_ARGS__);                                                                                        \
        show(#Name, to, 8);                                                                                          \
        LATER(N(I##iname), "I" #iname, __VA_ARGS__);                                                                 \
        PREPARED(PERSISTENT(Name), #Name, __VA_ARGS__);                                                              \
    } while (0)

static int from[8], to[8];
static const number counts[2] = {1, 2};
static const number mine[2] = {1, 1};
static const place displs[2] = {0, 2};
static const place byte_displs[2] = {0, 8};
static const MPI_Aint wide_displs[2] = {0, 8};
static const MPI_Datatype types[2] = {MPI_INT, MPI_INT};

static void for_all(void) {
    const number send_counts[2] = {rank + 1, rank + 1};
    const number own = rank + 1;
    FORMS(Allgather, allgather, from, 2, I, to, 2, I, W);
    FORMS(Allgatherv, allgatherv, from, own, I, to, counts, displs, I, W);
    FORMS(Alltoall, alltoall, from, 2, I, to, 2, I, W);
    FORMS(Alltoallv, alltoallv, from, send_counts, displs, I, to, counts, displs, I, W);
    FORMS(Alltoallw, alltoallw, from, send_counts, byte_displs, types, to, counts, byte_displs, types, W);
    FORMS(Allreduce, allreduce, from, to, 3, I, MPI_SUM, W);
    FORMS(Reduce_scatter_block, reduce_scatter_block, from, to, 2, I, MPI_SUM, W);
    FORMS(Reduce_scatter, reduce_scatter, from, to, mine, I, MPI_SUM, W);
    FORMS(Scan, scan, from, to, 3, I, MPI_SUM, W);
    FORMS(Exscan, exscan, from, to, 3, I, MPI_SUM, W);
}

static void with_root(void) {
    const number own = rank + 1;
    FORMS(Bcast, bcast, rank == 1 ? from : to, 3, I, 1, W);
    FORMS(Scatter, scatter, from, 2, I, to, 2, I, 0, W);
    FORMS(Scatterv, scatterv, from, counts, displs, I, to, own, I, 1, W);
    FORMS(Gather, gather, from, 2, I, to, 2, I, 0, W);
    FORMS(Gatherv, gatherv, from, own, I, to, counts, displs, I, 1, W);
    FORMS(Reduce, reduce, from, to, 3, I, MPI_MAX, 0, W);
}

static void of_neighbours(void) {
    MPI_Comm ring;
    const int dims[1] = {2}, periods[1] = {1};
    const number two[2] = {2, 2};
    MPI_Cart_create(W, 1, dims, periods, 0, &ring);
    FORMS(Neighbor_allgather, neighbor_allgather, from, 2, I, to, 2, I, ring);
    FORMS(Neighbor_allgatherv, neighbor_allgatherv, from, 2, I, to, two, displs, I, ring);
    FORMS(Neighbor_alltoall, neighbor_alltoall, from, 2, I, to, 2, I, ring);
    FORMS(Neighbor_alltoallv, neighbor_alltoallv, from, two, displs, I, to, two, displs, I, ring);
    FORMS(Neighbor_alltoallw, neighbor_alltoallw, from, two, wide_displs, types, to, two, wide_displs, types, ring);
    MPI_Comm_free(&ring);
}

static void barriers(void) {
    MPI_Request request;
    MPI_Barrier(W);
    MPI_Ibarrier(W, &request);
    finish("Ibarrier", &request, to, 0);
#if MPI_VERSION >= 4
    MPI_Barrier_init(W, MPI_INFO_NULL, &request);
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
    MPIX_Barrier_init(W, MPI_INFO_NULL, &request);
#else
    return;
#endif
    MPI_Start(&request);
    MPI_Wait(&request, NONE);
    MPI_Request_free(&request);
}

void CHAPTER(collective)(void) {
    for (int i = 0; i < 8; ++i)
        from[i] = 100 * (rank + 1) + i;
    barriers();
    for_all();
    with_root();
    of_neighbours();
}
