/* Messages to itself, inside and outside of a region, of numbers and bytes that can be counted by hand:
 *   3 MPI_Send of 5 doubles           3 messages   120 bytes
 *   MPI_Sendrecv of 2 integers        1              8
 *   MPI_Isend of a column of 3        1             12
 *   MPI_Start of 1 double, twice      2             16
 * together 7 messages and 156 bytes. Those to MPI_PROC_NULL, a request that is prepared and never started, MPI 4's
 * messages in parts, collective operations and what lies outside of the region do not count. */
#include <cpl_lb/cpl_lb.h>

#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int halo = cpl_lb_region("halo");
    cpl_lb_assert_expression(halo, "messages", "7");
    cpl_lb_assert_expression(halo, "message_bytes", "156");
    double values[5] = {0}, got[5], sum = 0;
    int pair[2] = {1, 2}, other[2], matrix[9] = {0}, column_got[3];
    MPI_Request received, sent;
    MPI_Datatype column;
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    cpl_lb_region_begin(halo);
    for (int i = 0; i < 3; ++i) {
        MPI_Irecv(got, 5, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &received);
        MPI_Send(values, 5, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
        MPI_Wait(&received, MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(pair, 2, MPI_INT, 0, 2, other, 2, MPI_INT, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Irecv(column_got, 3, MPI_INT, 0, 3, MPI_COMM_SELF, &received);
    MPI_Isend(matrix, 1, column, 0, 3, MPI_COMM_SELF, &sent);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    MPI_Request prepared, never;
    MPI_Send_init(values, 1, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, &prepared);
    MPI_Send_init(values, 4, MPI_DOUBLE, 0, 5, MPI_COMM_SELF, &never);
    for (int i = 0; i < 2; ++i) {
        MPI_Start(&prepared);
        MPI_Recv(got, 1, MPI_DOUBLE, 0, 4, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&prepared, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&never);
    MPI_Send(values, 5, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_SELF);
    MPI_Allreduce(values, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    cpl_lb_region_end(halo);
    MPI_Request_free(&prepared);
    MPI_Type_free(&column);
    MPI_Irecv(got, 5, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &received);
    MPI_Send(values, 5, MPI_DOUBLE, 0, 1, MPI_COMM_SELF);
    MPI_Wait(&received, MPI_STATUS_IGNORE);
    cpl_lb_terminate(86400.0);
    MPI_Finalize();
    return 0;
}
