/* SPDX-License-Identifier: MIT */
/* For LD_PRELOAD: what lies in a folder animbridge-*.libs can be renamed, but neither removed nor
   overwritten. Windows treats the files of loaded libraries like that. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int is_locked(int folder, const char* path) {
    char whole[8192], link[64];
    if (folder != AT_FDCWD && path[0] != '/') {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, whole, 4096);
        if (length < 0)
            return 0;
        snprintf(whole + length, sizeof whole - (size_t)length, "/%s", path);
        path = whole;
    }
    const char* name = strstr(path, "/animbridge-");
    if (name == NULL || strstr(name, ".libs/") == NULL)
        return 0;
    fprintf(stderr, "locked: %s\n", path);
    errno = EACCES;
    return 1;
}

int unlink(const char* path) {
    if (is_locked(AT_FDCWD, path))
        return -1;
    return ((int (*)(const char*))dlsym(RTLD_NEXT, "unlink"))(path);
}

int remove(const char* path) {
    if (is_locked(AT_FDCWD, path))
        return -1;
    return ((int (*)(const char*))dlsym(RTLD_NEXT, "remove"))(path);
}

int unlinkat(int folder, const char* path, int flags) {
    if (is_locked(folder, path))
        return -1;
    return ((int (*)(int, const char*, int))dlsym(RTLD_NEXT, "unlinkat"))(folder, path, flags);
}

#define OPEN(name)                                                                           \
    int name(const char* path, int flags, ...) {                                             \
        va_list rest;                                                                        \
        va_start(rest, flags);                                                               \
        mode_t mode = va_arg(rest, mode_t);                                                  \
        va_end(rest);                                                                        \
        int writes = (flags & O_ACCMODE) != O_RDONLY && access(path, F_OK) == 0;             \
        if (writes && is_locked(AT_FDCWD, path))                                             \
            return -1;                                                                       \
        return ((int (*)(const char*, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)
