#include "every_call.h"

static MPI_File fh;
static int a[2], b[2];
static MPI_Status status;

static void shown(const char *what) {
    int count = -1;
    MPI_Get_count(&status, I, &count);
    show(what, &count, 1);
    show(what, b, 2);
    b[0] = b[1] = -1;
}

static void waited(const char *what, MPI_Request *request) {
    MPI_Wait(request, &status);
    shown(what);
}

static void by_offset(void) {
    MPI_Request request;
    const MPI_Offset own = 8 * rank;
    N(File_write_at)(fh, own, a, 2, I, &status);
    shown("File_write_at");
    N(File_read_at)(fh, own, b, 2, I, &status);
    shown("File_read_at");
    N(File_write_at_all)(fh, own, a, 2, I, &status);
    shown("File_write_at_all");
    N(File_read_at_all)(fh, own, b, 2, I, &status);
    shown("File_read_at_all");
    N(File_iwrite_at)(fh, own, a, 2, I, &request);
    waited("File_iwrite_at", &request);
    N(File_iread_at)(fh, own, b, 2, I, &request);
    waited("File_iread_at", &request);
    N(File_iwrite_at_all)(fh, own, a, 2, I, &request);
    waited("File_iwrite_at_all", &request);
    N(File_iread_at_all)(fh, own, b, 2, I, &request);
    waited("File_iread_at_all", &request);
    N(File_write_at_all_begin)(fh, own, a, 2, I);
    MPI_File_write_at_all_end(fh, a, &status);
    shown("File_write_at_all_end");
    N(File_read_at_all_begin)(fh, own, b, 2, I);
    MPI_File_read_at_all_end(fh, b, &status);
    shown("File_read_at_all_end");
}

static void by_own_pointer(void) {
    MPI_Request request;
    const MPI_Offset own = 8 * rank;
#define BACK MPI_File_seek(fh, own, MPI_SEEK_SET)
    BACK;
    N(File_write)(fh, a, 2, I, &status);
    shown("File_write");
    BACK;
    N(File_read)(fh, b, 2, I, &status);
    shown("File_read");
    BACK;
    N(File_write_all)(fh, a, 2, I, &status);
    shown("File_write_all");
    BACK;
    N(File_read_all)(fh, b, 2, I, &status);
    shown("File_read_all");
    BACK;
    N(File_iwrite)(fh, a, 2, I, &request);
    waited("File_iwrite", &request);
    BACK;
    N(File_iread)(fh, b, 2, I, &request);
    waited("File_iread", &request);
    BACK;
    N(File_iwrite_all)(fh, a, 2, I, &request);
    waited("File_iwrite_all", &request);
    BACK;
    N(File_iread_all)(fh, b, 2, I, &request);
    waited("File_iread_all", &request);
    BACK;
    N(File_write_all_begin)(fh, a, 2, I);
    MPI_File_write_all_end(fh, a, &status);
    shown("File_write_all_end");
    BACK;
    N(File_read_all_begin)(fh, b, 2, I);
    MPI_File_read_all_end(fh, b, &status);
    shown("File_read_all_end");
}

/* Whose values come first is not said where no order is: both write the same there. */
static void by_shared_pointer(void) {
    MPI_Request request;
    const int same[2] = {3, 4};
    MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    N(File_write_shared)(fh, same, 2, I, &status);
    shown("File_write_shared");
    N(File_iwrite_shared)(fh, same, 2, I, &request);
    waited("File_iwrite_shared", &request);
    MPI_File_set_info(fh, no_hints);
    MPI_File_sync(fh);
    MPI_Barrier(W);
    MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    N(File_read_shared)(fh, b, 2, I, &status);
    shown("File_read_shared");
    N(File_iread_shared)(fh, b, 2, I, &request);
    waited("File_iread_shared", &request);
    MPI_Barrier(W);
    MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    N(File_write_ordered)(fh, a, 2, I, &status);
    shown("File_write_ordered");
    N(File_write_ordered_begin)(fh, a, 2, I);
    MPI_File_write_ordered_end(fh, a, &status);
    shown("File_write_ordered_end");
    MPI_File_seek_shared(fh, 0, MPI_SEEK_SET);
    N(File_read_ordered)(fh, b, 2, I, &status);
    shown("File_read_ordered");
    N(File_read_ordered_begin)(fh, b, 2, I);
    MPI_File_read_ordered_end(fh, b, &status);
    shown("File_read_ordered_end");
}

void CHAPTER(files)(const char *path) {
    a[0] = 100 * (rank + 1);
    a[1] = a[0] + 1;
    const int code = MPI_File_open(W, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh);
    show("File_open", &code, 1);
    char representation[] = "native";
    MPI_File_set_view(fh, 0, I, I, representation, MPI_INFO_NULL);
    MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, representation, MPI_INFO_NULL);
    MPI_File_set_size(fh, 64);
    MPI_File_preallocate(fh, 64);
    MPI_File_set_atomicity(fh, 0);
    by_offset();
    by_own_pointer();
    by_shared_pointer();
    MPI_File_close(&fh);
    const int closed = fh == MPI_FILE_NULL;
    show("File_close", &closed, 1);
    MPI_Barrier(W);
    if (rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
}
