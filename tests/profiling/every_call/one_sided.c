#include "every_call.h"

static int memory[8];

static MPI_Win window(void) {
    MPI_Win win;
    for (int i = 0; i < 8; ++i)
        memory[i] = 100 * (rank + 1) + i;
    N(Win_create)(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, W, &win);
    return win;
}

static void windows(void) {
    MPI_Win win;
    int *base = NULL;
    N(Win_allocate)(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, W, (void *)&base, &win);
    base[0] = 5;
    MPI_Win_free(&win);
    MPI_Comm node;
    MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    N(Win_allocate_shared)(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, node, (void *)&base, &win);
    base[0] = 6;
    MPI_Win_free(&win);
    MPI_Comm_free(&node);
    MPI_Comm comm; /* not every machine can do it */
    MPI_Comm_dup(W, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    const int made = MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &win) == MPI_SUCCESS;
    show("Win_create_dynamic", &made, 1);
    if (made) MPI_Win_free(&win);
    MPI_Comm_free(&comm);
    win = window();
    MPI_Win_free(&win);
    const int freed = win == MPI_WIN_NULL;
    show("Win_free", &freed, 1);
}

static void fences(void) {
    MPI_Win win = window();
    int a = 7 + rank, b = 0, old = 0;
    const int compared = 100 * (other + 1) + 4;
    MPI_Win_set_info(win, no_hints);
    MPI_Win_fence(0, win);
    N(Put)(&a, 1, I, other, 0, 1, I, win);
    N(Accumulate)(&a, 1, I, other, 1, 1, I, MPI_SUM, win);
    MPI_Win_fence(0, win);
    N(Get)(&b, 1, I, other, 1, 1, I, win);
    N(Get_accumulate)(&a, 1, I, &old, 1, I, other, 2, 1, I, MPI_SUM, win);
    MPI_Win_fence(0, win);
    show("Get", &b, 1);
    show("Get_accumulate", &old, 1);
    MPI_Fetch_and_op(&a, &old, I, other, 3, MPI_SUM, win);
    MPI_Win_fence(0, win);
    show("Fetch_and_op", &old, 1);
    MPI_Compare_and_swap(&a, &compared, &old, I, other, 4, win);
    MPI_Win_fence(0, win);
    show("Compare_and_swap", &old, 1);
    show("fences", memory, 8);
    MPI_Win_free(&win);
}

static void locks(void) {
    MPI_Win win = window();
    int a = 17 + rank, b = 0;
    MPI_Request request;
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    N(Put)(&a, 1, I, other, 0, 1, I, win);
    MPI_Win_flush_local(other, win);
    MPI_Win_flush(other, win);
    N(Get)(&b, 1, I, other, 1, 1, I, win);
    MPI_Win_unlock(other, win);
    show("Win_unlock", &b, 1);
    MPI_Win_lock_all(0, win);
    N(Get)(&b, 1, I, other, 2, 1, I, win);
    MPI_Win_flush_local_all(win);
    N(Rput)(&a, 1, I, other, 3, 1, I, win, &request);
    finish("Rput", &request, &a, 1);
    N(Raccumulate)(&a, 1, I, other, 4, 1, I, MPI_SUM, win, &request);
    finish("Raccumulate", &request, &a, 1);
    MPI_Win_flush_all(win);
    N(Rget)(&b, 1, I, other, 5, 1, I, win, &request);
    finish("Rget", &request, &b, 1);
    N(Rget_accumulate)(&a, 1, I, &b, 1, I, other, 6, 1, I, MPI_SUM, win, &request);
    finish("Rget_accumulate", &request, &b, 1);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    show("locks", memory, 8);
}

static void posts(void) {
    MPI_Win win = window();
    MPI_Group all, there;
    MPI_Comm_group(W, &all);
    MPI_Group_incl(all, 1, &other, &there);
    int a = 27 + rank;
    for (int i = 0; i < 2; ++i) {
        MPI_Win_post(there, 0, win);
        MPI_Win_start(there, 0, win);
        N(Put)(&a, 1, I, other, i, 1, I, win);
        MPI_Win_complete(win);
        int flag = 0;
        if (i == 0) MPI_Win_wait(win);
        while (i == 1 && !flag)
            MPI_Win_test(win, &flag);
    }
    show("posts", memory, 8);
    MPI_Group_free(&all);
    MPI_Group_free(&there);
    MPI_Win_free(&win);
}

void CHAPTER(one_sided)(void) {
    windows();
    fences();
    locks();
    posts();
}
