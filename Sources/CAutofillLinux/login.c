// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "login.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The part of <systemd/sd-bus.h> that is used; its ABI is stable (libsystemd.so.0).
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct {
    const char *name;
    const char *message;
    int need_free;
} sd_bus_error;
typedef int (*handler)(sd_bus_message *, void *, sd_bus_error *);

static struct {
    int (*open_system)(sd_bus **);
    sd_bus *(*close)(sd_bus *);
    int (*descriptor)(sd_bus *);
    int (*process)(sd_bus *, sd_bus_message **);
    int (*match)(
        sd_bus *, sd_bus_slot **, const char *sender, const char *path, const char *interface, const char *member,
        handler, void *);
    int (*call)(
        sd_bus *, const char *destination, const char *path, const char *interface, const char *member, sd_bus_error *,
        sd_bus_message **, const char *types, ...);
    int (*property)(
        sd_bus *, const char *destination, const char *path, const char *interface, const char *member, sd_bus_error *,
        sd_bus_message **, const char *type);
    int (*read)(sd_bus_message *, const char *types, ...);
    const char *(*path)(sd_bus_message *);
    const char *(*sender)(sd_bus_message *);
    const char *(*member)(sd_bus_message *);
    sd_bus_message *(*unref)(sd_bus_message *);
    void (*free_error)(sd_bus_error *);
} bus;

static const char service[] = "org.freedesktop.login1";
static const char manager[] = "/org/freedesktop/login1";
static const char manager_interface[] = "org.freedesktop.login1.Manager";
static const char session_interface[] = "org.freedesktop.login1.Session";

// What arrived and was not looked at yet. More than these at once say nothing new.
enum { pending_limit = 32, path_limit = 256, name_limit = 64 };

struct signal {
    char member[name_limit], sender[name_limit], path[path_limit];
    int value;
};

struct af_login {
    sd_bus *bus;
    struct signal pending[pending_limit];
    int first, count;
    // Open while logind waits for us.
    int inhibitor;
    // The session whose screen was last seen locked.
    char locked[path_limit];
};

static bool load(void) {
    static bool is_loaded;
    if (is_loaded) return true;
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    struct {
        void **place;
        const char *name;
    } functions[] = {
        {(void **)&bus.open_system, "sd_bus_open_system"},
        {(void **)&bus.close, "sd_bus_flush_close_unref"},
        {(void **)&bus.descriptor, "sd_bus_get_fd"},
        {(void **)&bus.process, "sd_bus_process"},
        {(void **)&bus.match, "sd_bus_match_signal"},
        {(void **)&bus.call, "sd_bus_call_method"},
        {(void **)&bus.property, "sd_bus_get_property"},
        {(void **)&bus.read, "sd_bus_message_read"},
        {(void **)&bus.path, "sd_bus_message_get_path"},
        {(void **)&bus.sender, "sd_bus_message_get_sender"},
        {(void **)&bus.member, "sd_bus_message_get_member"},
        {(void **)&bus.unref, "sd_bus_message_unref"},
        {(void **)&bus.free_error, "sd_bus_error_free"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!(*functions[i].place = dlsym(library, functions[i].name))) return false;
    is_loaded = true;
    return true;
}

static bool copy(char *to, size_t size, const char *from) {
    size_t length = from ? strlen(from) : size;
    if (length >= size) return false;
    memcpy(to, from, length + 1);
    return true;
}

// Notes a signal; what it means is asked of logind later, outside of the library's own turn.
static int note(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    af_login *login = context;
    if (login->count == pending_limit) return 0;
    struct signal *signal = &login->pending[(login->first + login->count) % pending_limit];
    signal->value = 0;
    if (!copy(signal->member, name_limit, bus.member(message)) ||
        !copy(signal->sender, name_limit, bus.sender(message)) || !copy(signal->path, path_limit, bus.path(message)))
        return 0;
    if (strcmp(signal->member, "PrepareForSleep") == 0 && bus.read(message, "b", &signal->value) < 0) return 0;
    login->count++;
    return 0;
}

int af_login_open(af_login **result) {
    if (!load()) return -ELIBACC;
    af_login *login = calloc(1, sizeof *login);
    if (!login) return -ENOMEM;
    login->inhibitor = -1;
    int status = bus.open_system(&login->bus);
    const struct {
        const char *interface, *member;
    } wanted[] = {
        {manager_interface, "PrepareForSleep"},
        {session_interface, "Lock"},
        {session_interface, "Unlock"},
        {"org.freedesktop.DBus.Properties", "PropertiesChanged"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted && status >= 0; i++)
        status = bus.match(login->bus, NULL, service, NULL, wanted[i].interface, wanted[i].member, note, login);
    if (status < 0) {
        af_login_close(login);
        return status;
    }
    *result = login;
    return 0;
}

int af_login_descriptor(const af_login *login) { return bus.descriptor(login->bus); }

// Whether a signal is logind's own: the bus hands out what other programs send to us directly, too.
static bool is_genuine(af_login *login, const struct signal *signal) {
    sd_bus_message *answer = NULL;
    sd_bus_error error = {0};
    const char *owner = NULL;
    bool is = bus.call(
                  login->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                  &error, &answer, "s", service) >= 0 &&
              bus.read(answer, "s", &owner) >= 0 && strcmp(owner, signal->sender) == 0;
    bus.unref(answer);
    bus.free_error(&error);
    return is;
}

static bool is_own(af_login *login, const char *session) {
    sd_bus_message *answer = NULL;
    sd_bus_error error = {0};
    uint32_t user = UINT32_MAX;
    const char *path;
    bool is = bus.property(login->bus, service, session, session_interface, "User", &error, &answer, "(uo)") >= 0 &&
              bus.read(answer, "(uo)", &user, &path) >= 0 && user == getuid();
    bus.unref(answer);
    bus.free_error(&error);
    return is;
}

// Desktops that lock the screen by themselves tell logind by this hint. -1 where it cannot be told.
static int is_screen_locked(af_login *login, const char *session) {
    sd_bus_message *answer = NULL;
    sd_bus_error error = {0};
    int value = 0;
    bool is_told =
        bus.property(login->bus, service, session, session_interface, "LockedHint", &error, &answer, "b") >= 0 &&
        bus.read(answer, "b", &value) >= 0;
    bus.unref(answer);
    bus.free_error(&error);
    return is_told ? value != 0 : -1;
}

static int meaning(af_login *login, const struct signal *signal) {
    if (!is_genuine(login, signal)) return AF_LOGIN_NOTHING;
    if (strcmp(signal->member, "PrepareForSleep") == 0)
        return signal->value ? AF_LOGIN_FALLS_ASLEEP : AF_LOGIN_WOKE_UP;
    if (strncmp(signal->path, "/org/freedesktop/login1/session/", 32) != 0 || !is_own(login, signal->path))
        return AF_LOGIN_NOTHING;
    if (strcmp(signal->member, "Lock") == 0) return AF_LOGIN_LOCKED;
    if (strcmp(signal->member, "Unlock") == 0) return AF_LOGIN_UNLOCKED;
    bool was_locked = strcmp(login->locked, signal->path) == 0;
    int is_locked = is_screen_locked(login, signal->path);
    if (is_locked < 0 || was_locked == (is_locked == 1)) return AF_LOGIN_NOTHING;
    if (is_locked) memcpy(login->locked, signal->path, path_limit);
    else login->locked[0] = '\0';
    return is_locked ? AF_LOGIN_LOCKED : AF_LOGIN_UNLOCKED;
}

int af_login_next(af_login *login) {
    while (true) {
        while (login->count > 0) {
            struct signal signal = login->pending[login->first];
            login->first = (login->first + 1) % pending_limit;
            login->count--;
            int what = meaning(login, &signal);
            if (what != AF_LOGIN_NOTHING) return what;
        }
        int status = bus.process(login->bus, NULL);
        if (status < 0) return status;
        if (status == 0 && login->count == 0) return AF_LOGIN_NOTHING;
    }
}

int af_login_hold_sleep(af_login *login) {
    if (login->inhibitor >= 0) return 0;
    sd_bus_message *answer = NULL;
    sd_bus_error error = {0};
    int descriptor = -1;
    int status = bus.call(
        login->bus, service, manager, manager_interface, "Inhibit", &error, &answer, "ssss", "sleep", "autofilld",
        "The vault is locked first", "delay");
    if (status >= 0) status = bus.read(answer, "h", &descriptor);
    if (status >= 0) login->inhibitor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (status >= 0 && login->inhibitor < 0) status = -errno;
    bus.unref(answer);
    bus.free_error(&error);
    return status < 0 ? status : 0;
}

void af_login_let_sleep(af_login *login) {
    if (login->inhibitor >= 0) close(login->inhibitor);
    login->inhibitor = -1;
}

void af_login_close(af_login *login) {
    if (!login) return;
    af_login_let_sleep(login);
    if (login->bus) bus.close(login->bus);
    free(login);
}
