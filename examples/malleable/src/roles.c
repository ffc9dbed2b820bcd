#include "roles.h"

void first_roles(int all_processes, const int counts[CONSTITUENTS], int role[]) {
    int rank = 0;
    for (int i = 0; i < CONSTITUENTS; ++i)
        for (int k = 0; k < counts[i] && rank < all_processes; ++k)
            role[rank++] = i;
}

void new_roles(int all_processes, const int counts[CONSTITUENTS], int role[]) {
    int left[CONSTITUENTS]; /* places that are still to be filled */
    for (int i = 0; i < CONSTITUENTS; ++i)
        left[i] = counts[i];
    for (int rank = 0; rank < all_processes; ++rank) { /* who stays */
        if (left[role[rank]] > 0) {
            --left[role[rank]];
        } else {
            role[rank] = -1;
        }
    }
    int recipient = 0;
    for (int rank = 0; rank < all_processes; ++rank) {
        if (role[rank] >= 0) continue;
        while (left[recipient] == 0)
            ++recipient;
        --left[recipient];
        role[rank] = recipient;
    }
}

int head_of(int constituent, int all_processes, const int role[]) {
    for (int rank = 0; rank < all_processes; ++rank)
        if (role[rank] == constituent) return rank;
    return -1;
}
