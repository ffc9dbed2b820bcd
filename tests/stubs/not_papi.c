/* A library under PAPI's name that lacks its functions. */
int PAPI_library_init(int version);
int PAPI_library_init(int version) {
    return version;
}
