/* Which process works for which constituent, and how it changes. */
#ifndef ROLES_H
#define ROLES_H

#include "load.h"

enum { MOST_PROCESSES = 256 };

/* role[rank]: its constituent, blocks of ranks in the order of the constituents. */
void first_roles(int all_processes, const int counts[CONSTITUENTS], int role[]);

/* As few processes as possible change: the last ranks of each donor go to the recipients. counts sum to all. */
void new_roles(int all_processes, const int counts[CONSTITUENTS], int role[]);

int head_of(int constituent, int all_processes, const int role[]); /* its lowest rank */

#endif
