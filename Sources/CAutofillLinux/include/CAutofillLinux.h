// SPDX-License-Identifier: Apache-2.0
// Functions of Linux that Swift's Glibc overlay does not have.
#ifndef CAUTOFILLLINUX_H
#define CAUTOFILLLINUX_H

#include "confine.h"
#include "confinement.h"
#include "connection.h"
#include "file.h"
#include "loop.h"
#include "peer.h"
#include "prompt.h"
#include "secret.h"
#include "service.h"
#include "sockets.h"

#endif
