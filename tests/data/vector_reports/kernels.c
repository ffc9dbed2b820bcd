/* Loops whose vectorisation is known; the reports beside this file are of real compilers. */
void triad(int n, double *restrict a, const double *restrict b, const double *restrict c, double s) {
    for (int i = 0; i < n; ++i)
        a[i] = b[i] + s * c[i];
}

double recurrence(int n, double *a) {
    double last = 0;
    for (int i = 1; i < n; ++i) { /* each step needs the one before */
        a[i] = 0.5 * a[i - 1] + 1.0 / (1.0 + a[i]);
        last = a[i];
    }
    return last;
}

void stencil(int n, int m, double (*restrict u)[1024], const double (*restrict v)[1024]) {
    for (int j = 1; j < m - 1; ++j)
        for (int i = 1; i < n - 1; ++i)
            u[j][i] = 0.25 * (v[j][i - 1] + v[j][i + 1] + v[j - 1][i] + v[j + 1][i]);
}
