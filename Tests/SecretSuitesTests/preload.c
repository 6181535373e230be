// SPDX-License-Identifier: Apache-2.0
// Preloaded into libsecret's tests: when the service that replaces their mock runs, a copy of the test's own process
// fills it (seed.py). The items of a program belong to it, so no other process could create them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef const char *starter(const char *script, void *error);

const char *mock_service_start(const char *script, void *error) {
    const char *name = ((starter *)dlsym(RTLD_NEXT, "mock_service_start"))(script, error);
    const char *seed = getenv("AUTOFILL_SEED");
    pid_t child = name && seed ? fork() : 0;
    if (child == 0 && name && seed) {
        void *python = dlopen(getenv("AUTOFILL_PYTHON"), RTLD_NOW | RTLD_GLOBAL);
        if (!python) _exit(127);
        setenv("AUTOFILL_SEED_NAME", name, 1);
        setenv("AUTOFILL_SEED_KIND", script, 1);
        ((void (*)(void))dlsym(python, "Py_Initialize"))();
        _exit(((int (*)(const char *))dlsym(python, "PyRun_SimpleString"))(seed) == 0 ? 0 : 1);
    }
    int status = 0;
    if (child > 0 && (waitpid(child, &status, 0) != child || status != 0)) fprintf(stderr, "the seed failed: %d\n", status);
    return name;
}
