// SPDX-License-Identifier: Apache-2.0
// A program that asks the person: started with nothing of ours but one socket, and stopped with all that it started.
#ifndef CAUTOFILL_PROMPT_H
#define CAUTOFILL_PROMPT_H

#include <stddef.h>
#include <stdint.h>

/// Starts a program in a session of its own, in the root directory, with `socket` as its input and output and no other
/// descriptor but /dev/null as its standard error; its signals are as at the start of any program. The lists end with
/// NULL. 0 and the process, or a negated errno.
int af_spawn_prompter(const char *path, char *const arguments[], char *const environment[], int socket, int32_t *process);

/// Kills its whole session's process group and waits for the program itself.
void af_end_prompter(int32_t process);

/// Two connected stream sockets, O_CLOEXEC. 0 or a negated errno.
int af_socket_pair(int sockets[2]);

/// Waits until one of two descriptors can be read or was hung up on: 1 for the first, 2 for the second (before the first),
/// 0 when the time is up, or a negated errno.
int af_await_either(int first, int second, int milliseconds);

/// Writes all, without SIGPIPE. 0 or a negated errno.
int af_send_all(int socket, const void *bytes, size_t size);

/// Reads what is there, at most `size` bytes: their number, 0 at the end, or a negated errno.
long af_receive(int socket, void *buffer, size_t size);

#endif
