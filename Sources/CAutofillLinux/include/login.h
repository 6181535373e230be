// SPDX-License-Identifier: Apache-2.0
// What the login manager (systemd-logind) says of the user's sessions and of sleep, over the system bus. libsystemd's
// sd-bus is loaded when it is first needed: a machine without it has no logind either, and no build needs its headers.
#ifndef CAUTOFILL_LOGIN_H
#define CAUTOFILL_LOGIN_H

#include <stdbool.h>

typedef struct af_login af_login;

enum {
    AF_LOGIN_NOTHING = 0,
    AF_LOGIN_LOCKED,
    AF_LOGIN_UNLOCKED,
    AF_LOGIN_FALLS_ASLEEP,
    AF_LOGIN_WOKE_UP,
};

/// Connects to the system bus and has logind's signals sent here. 0, or a negated errno: -ELIBACC without libsystemd.
int af_login_open(af_login **login);

/// The descriptor to wait at: when it can be read, af_login_next has something to do.
int af_login_descriptor(const af_login *login);

/// The next thing that happened to a session of this user or to the machine: one of the above, AF_LOGIN_NOTHING when
/// there is no more now, a negated errno when the bus is gone. May wait for logind's answer.
int af_login_next(af_login *login);

/// Has logind wait for af_login_let_sleep (five seconds, as it is configured) before the machine sleeps. 0 or a negated
/// errno; it may be refused. Nothing happens where that holds already.
int af_login_hold_sleep(af_login *login);

void af_login_let_sleep(af_login *login);

void af_login_close(af_login *login);

#endif
