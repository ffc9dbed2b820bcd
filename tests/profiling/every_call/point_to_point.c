#include "every_call.h"

static void blocking(void) {
    static char space[1000];
    int a[4] = {rank, 10 + rank, 20 + rank, 30 + rank}, b[4] = {-1, -1, -1, -1};
    MPI_Status status;
    MPI_Request request;
    if (rank == 0) {
        N(Send)(a, 2, I, other, 1, W);
        N(Ssend)(a, 3, I, other, 2, W);
        MPI_Buffer_attach(space, sizeof space);
        N(Bsend)(a, 1, I, other, 3, W);
        void *back = NULL;
        number size = 0;
        N(Buffer_detach)((void *)&back, &size);
        const int same = back == space && size == (number)sizeof space;
        show("Buffer_detach", &same, 1);
        MPI_Barrier(W);
        N(Rsend)(a, 4, I, other, 4, W);
    } else {
        MPI_Irecv(b, 4, I, other, 4, W, &request);
        int got[4] = {0};
        N(Recv)(got, 4, I, MPI_ANY_SOURCE, 1, W, &status);
        show_status("Recv", &status);
        show("Recv", got, 2);
        N(Recv)(got, 4, I, other, MPI_ANY_TAG, W, NONE);
        show("Recv of Ssend", got, 3);
        N(Recv)(got, 4, I, other, 3, W, &status);
        show_status("Recv of Bsend", &status);
        MPI_Barrier(W);
        MPI_Wait(&request, &status);
        show_status("Wait", &status);
        show("Rsend", b, 4);
    }
    N(Sendrecv)(a, 2, I, other, 5, b, 4, I, MPI_ANY_SOURCE, 5, W, &status);
    show_status("Sendrecv", &status);
    N(Sendrecv_replace)(a, 3, I, other, 6, other, 6, W, &status);
    show_status("Sendrecv_replace", &status);
    show("Sendrecv_replace", a, 4);
}

static void probes(void) {
    int a[2] = {7, 8}, b[2] = {0, 0}, flag = 0;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    if (rank == 0) {
        for (int tag = 11; tag <= 14; ++tag)
            MPI_Send(a, 2, I, other, tag, W);
        return;
    }
    MPI_Probe(MPI_ANY_SOURCE, 11, W, &status);
    show_status("Probe", &status);
    MPI_Recv(b, 2, I, status.MPI_SOURCE, 11, W, NONE);
    while (!flag)
        MPI_Iprobe(other, 12, W, &flag, &status);
    show_status("Iprobe", &status);
    MPI_Recv(b, 2, I, other, 12, W, NONE);
    MPI_Mprobe(other, MPI_ANY_TAG, W, &message, &status);
    show_status("Mprobe", &status);
    N(Mrecv)(b, 2, I, &message, &status);
    show_status("Mrecv", &status);
    for (flag = 0; !flag;)
        MPI_Improbe(MPI_ANY_SOURCE, 14, W, &flag, &message, NONE);
    N(Imrecv)(b, 2, I, &message, &request);
    finish("Imrecv", &request, b, 2);
}

/* Sends to the other process in each way that does not block, and receives what comes. */
static void without_waiting(void) {
    static char space[1000];
    int a = 40 + rank, b[5] = {0}, flag = 0, count = 0, index = -1, indices[5];
    MPI_Request requests[5];
    MPI_Status statuses[5], status;
    MPI_Buffer_attach(space, sizeof space);
    for (int i = 0; i < 5; ++i)
        N(Irecv)(&b[i], 1, I, i % 2 ? MPI_ANY_SOURCE : other, 20 + i, W, &requests[i]);
    MPI_Request sent[5], in_vain;
    MPI_Irecv(&index, 1, I, other, 29, W, &in_vain);
    MPI_Cancel(&in_vain);
    MPI_Wait(&in_vain, &status);
    MPI_Test_cancelled(&status, &flag);
    show("Cancel", &flag, 1);
    flag = 0;
    MPI_Barrier(W);
    N(Isend)(&a, 1, I, other, 20, W, &sent[0]);
    N(Issend)(&a, 1, I, other, 21, W, &sent[1]);
    N(Ibsend)(&a, 1, I, other, 22, W, &sent[2]);
    N(Irsend)(&a, 1, I, other, 23, W, &sent[3]);
    MPI_Isend(&a, 1, I, other, 24, W, &sent[4]);
    while (!flag)
        MPI_Request_get_status(requests[0], &flag, &status);
    show_status("Request_get_status", &status);
    MPI_Wait(&requests[0], &statuses[0]);
    show_status("Wait after Request_get_status", &statuses[0]);
    for (flag = 0; !flag;)
        MPI_Test(&requests[1], &flag, &status);
    show_status("Test", &status);
    MPI_Request one[1] = {requests[2]};
    MPI_Waitany(1, one, &index, &status);
    show_status("Waitany", &status);
    one[0] = requests[3];
    for (flag = 0; !flag;)
        MPI_Testany(1, one, &index, &flag, &status);
    show_status("Testany", &status);
    one[0] = requests[4];
    MPI_Waitsome(1, one, &count, indices, statuses);
    show_status("Waitsome", &statuses[0]);
    MPI_Waitall(4, sent, MPI_STATUSES_IGNORE);
    for (count = 0; count == 0;)
        MPI_Testsome(1, &sent[4], &count, indices, MPI_STATUSES_IGNORE);
    for (flag = 0; !flag;)
        MPI_Testall(1, &sent[4], &flag, MPI_STATUSES_IGNORE);
    show("without waiting", b, 5);
    void *back = NULL;
    int size = 0;
    MPI_Buffer_detach((void *)&back, &size);
}

static void persistent(void) {
    static char space[1000];
    int a = 60 + rank, b[4] = {0};
    MPI_Request sends[4], receives[4];
    MPI_Buffer_attach(space, sizeof space);
    N(Send_init)(&a, 1, I, other, 30, W, &sends[0]);
    N(Ssend_init)(&a, 1, I, other, 31, W, &sends[1]);
    N(Bsend_init)(&a, 1, I, other, 32, W, &sends[2]);
    N(Rsend_init)(&a, 1, I, other, 33, W, &sends[3]);
    for (int i = 0; i < 4; ++i)
        N(Recv_init)(&b[i], 1, I, other, i == 1 ? MPI_ANY_TAG : 30 + i, W, &receives[i]);
    for (int i = 0; i < 4; ++i) {
        MPI_Status status;
        MPI_Start(&receives[i]);
        MPI_Barrier(W);
        MPI_Startall(1, &sends[i]);
        MPI_Wait(&receives[i], &status);
        show_status("persistent", &status);
        MPI_Wait(&sends[i], NONE);
        MPI_Request_free(&receives[i]);
        MPI_Request_free(&sends[i]);
    }
    show("persistent", b, 4);
    void *back = NULL;
    int size = 0;
    MPI_Buffer_detach((void *)&back, &size);
}

#if MPI_VERSION >= 4
static void of_mpi_4(void) {
    int a = 70 + rank, b = 0;
    MPI_Request request;
    N(Isendrecv)(&a, 1, I, other, 41, &b, 1, I, other, 41, W, &request);
    finish("Isendrecv", &request, &b, 1);
    N(Isendrecv_replace)(&a, 1, I, other, 42, other, 42, W, &request);
    finish("Isendrecv_replace", &request, &a, 1);
    if (rank == 0) {
        MPI_Psend_init(&a, 1, 1, I, other, 43, W, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready(0, request);
    } else {
        MPI_Precv_init(&b, 1, 1, I, other, 43, W, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        for (int flag = 0; flag == 0;)
            MPI_Parrived(request, 0, &flag);
        show("Parrived", &b, 1);
    }
    MPI_Wait(&request, NONE);
    MPI_Request_free(&request);
    show("Psend_init", &b, 1);
}
#endif

void CHAPTER(point_to_point)(void) {
    blocking();
    probes();
    without_waiting();
    persistent();
#if MPI_VERSION >= 4
    of_mpi_4();
#endif
}
