/* What the five constituents of a coupled climate model cost, as sleep. */
#ifndef LOAD_H
#define LOAD_H

enum { CPL, ATM, OCN, LAND, ICE, CONSTITUENTS };
enum { HOURS = 6 }; /* of a day; 24 in the paper */

extern const char *const constituent_names[CONSTITUENTS];

/* Computing time of a day [s] of a constituent with that many of all processes. heavier: factor on its load. */
double day_seconds(int constituent, int processes, int all_processes, double heavier);

void sleep_seconds(double seconds);

#endif
