/* What the models use of the double of YAC. */
#pragma once
#include <mpi.h>
#include <stddef.h>
void yac_cinit(void);
void yac_cinit_comm(MPI_Comm comm);
void yac_cinit_dummy(void);
void yac_cpredef_comp(const char *name, int *id);
void yac_cdef_comp(const char *name, int *id);
void yac_cdef_grid_reg2d(const char *name, int *n, int *cyclic, double *x, double *y, int *id);
void yac_cdef_field(const char *name, int component, const int *points, int sets, int size, const char *step,
                    int unit, int *id);
void yac_cenddef(void);
void yac_cput(int id, int n, double ***v, int *info, int *error);
void yac_cput_(int id, int n, double *v, int *info, int *error);
void yac_cput_frac(int id, int n, double ***v, double ***mask, int *info, int *error);
void yac_cput_frac_(int id, int n, double *v, double *mask, int *info, int *error);
void yac_cput_ptr_(int id, int n, double **v, int *info, int *error);
void yac_cput_frac_ptr_(int id, int n, double **v, double **mask, int *info, int *error);
void yac_cget(int id, int n, double **v, int *info, int *error);
void yac_cget_(int id, int n, double *v, int *info, int *error);
void yac_cget_async(int id, int n, double **v, int *info, int *error);
void yac_cget_async_(int id, int n, double *v, int *info, int *error);
void yac_cget_raw(int id, int n, double ***v, int *info, int *error);
void yac_cexchange_(int from, int to, int n, double *sent, double *got, int *sent_info, int *got_info, int *error);
void yac_cupdate(int id);
void yac_cwait(int id);
void yac_ctest(int id, int *flag);
void yac_cfinalize(void);
