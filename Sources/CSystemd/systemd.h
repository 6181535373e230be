// SPDX-License-Identifier: Apache-2.0
// What is used of libsystemd. Calls that need a macro or _GNU_SOURCE are in CAutofillLinux.
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
