// SPDX-License-Identifier: Apache-2.0
// Many clients on one thread, each with so many requests under way; and where the kernel runs them.
#ifndef CLOAD_H
#define CLOAD_H

#include <stddef.h>

/// Sends `total` times the same line over `count` sockets, at most `depth` unanswered on each, and counts the lines
/// that are returned. Returns the seconds that it needed, or less than 0 when a socket failed or nothing arrived for a
/// minute.
double load_run(const int *sockets, int count, const void *line, size_t length, long total, int depth);

/// Has this process, and those that it starts from now on, run on one of its cores, or on all of them again.
void load_on_one_core(void);
void load_on_all_cores(void);

#endif
