// SPDX-License-Identifier: Apache-2.0
// What is used of libsystemd. What needs a macro or _GNU_SOURCE lies in CAutofillLinux.
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
