/* A disk that forgets what was not fsynced, and a wall clock that can be set. For LD_PRELOAD.

   PHOTOFINISH_DISK=file   keep in this table, for every file that the Redis server writes, how many of its bytes
                           were fsynced, and every rename whose folder was not. powercut.py reads it after the kill.
   PHOTOFINISH_SYNC_US=n   and let each of its syncs take so many microseconds longer, as a slow disk does.
   PHOTOFINISH_CLOCK=file  eight bytes: microseconds to add to the wall clock, read anew at every look.

   Files are known by their inode. Redis only appends to its AOF, so a length is enough; a file that was truncated
   is as long as it is. All numbers live in shared memory: they outlast kill -9, as a disk outlasts a power cut. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FILES 512
#define RENAMES 64
#define NAME 512

struct renamed { _Atomic int is_pending; char to[NAME]; char saved[NAME]; };
struct disk {
    _Atomic uint64_t inode[FILES];
    _Atomic int64_t synced[FILES];
    struct renamed renames[RENAMES];
    _Atomic uint64_t syncs;
};

static struct disk *disk;
static volatile int64_t *shift;
static const char *table;
static useconds_t slow;

static void *shared(const char *name, size_t size) {
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0) return NULL;
    struct stat st;
    if (fstat(fd, &st) == 0 && (size_t)st.st_size < size && ftruncate(fd, (off_t)size) != 0) { close(fd); return NULL; }
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

__attribute__((constructor)) static void begin(void) {
    const char *clock = getenv("PHOTOFINISH_CLOCK");
    if (clock) shift = shared(clock, sizeof *shift);
    table = getenv("PHOTOFINISH_DISK");
    if (table && (strstr(program_invocation_short_name, "valkey") || strstr(program_invocation_short_name, "redis")))
        disk = shared(table, sizeof *disk);
    if (disk && getenv("PHOTOFINISH_SYNC_US")) slow = (useconds_t)atoi(getenv("PHOTOFINISH_SYNC_US"));
}

/* The disk. */

static void note_synced(struct stat st) {
    if (S_ISDIR(st.st_mode)) {
        for (int n = 0; n < RENAMES; n++) disk->renames[n].is_pending = 0;
        return;
    }
    if (!S_ISREG(st.st_mode)) return;
    disk->syncs++;
    for (int n = 0; n < FILES; n++) {
        uint64_t none = 0;
        if (disk->inode[n] == st.st_ino || atomic_compare_exchange_strong(&disk->inode[n], &none, st.st_ino)) {
            disk->synced[n] = st.st_size;
            return;
        }
    }
}

/* The length is taken before the sync: what another thread appends meanwhile may not be in it. */
#define SYNC(name)                                                                     \
    int name(int fd) {                                                                 \
        static int (*real)(int);                                                       \
        if (!real) real = dlsym(RTLD_NEXT, #name);                                     \
        struct stat before;                                                            \
        int is_known = disk && fstat(fd, &before) == 0;                                \
        if (slow) usleep(slow);                                                        \
        int done = real(fd);                                                           \
        if (done == 0 && is_known) note_synced(before);                                \
        return done;                                                                   \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *from, const char *to) {
    static int (*real)(const char *, const char *);
    if (!real) real = dlsym(RTLD_NEXT, "rename");
    if (disk) {
        for (int n = 0; n < RENAMES; n++) {
            int none = 0;
            if (!atomic_compare_exchange_strong(&disk->renames[n].is_pending, &none, 1)) continue;
            char here[NAME / 2] = "";
            if (to[0] != '/' && !getcwd(here, sizeof here)) here[0] = 0;
            snprintf(disk->renames[n].to, NAME, "%s%s%s", here, here[0] ? "/" : "", to);
            snprintf(disk->renames[n].saved, NAME, "%s.saved.%d", table, n);
            unlink(disk->renames[n].saved);
            if (link(to, disk->renames[n].saved) != 0) disk->renames[n].saved[0] = 0;
            break;
        }
    }
    return real(from, to);
}

/* The clock. */

static int is_wall(clockid_t which) { return which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE; }

int clock_gettime(clockid_t which, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int done = real(which, at);
    if (done == 0 && shift && is_wall(which)) {
        int64_t nanos = at->tv_nsec + (*shift % 1000000) * 1000;
        at->tv_sec += *shift / 1000000;
        if (nanos >= 1000000000) { nanos -= 1000000000; at->tv_sec++; }
        if (nanos < 0) { nanos += 1000000000; at->tv_sec--; }
        at->tv_nsec = nanos;
    }
    return done;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
