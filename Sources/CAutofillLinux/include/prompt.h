// SPDX-License-Identifier: Apache-2.0
// A program that prompts the user: started with nothing of ours but one socket, and stopped with all that it started.
#ifndef CAUTOFILL_PROMPT_H
#define CAUTOFILL_PROMPT_H

#include <stddef.h>
#include <stdint.h>

/// Starts a program in a session of its own, in the root directory, with `socket` as its input and output and no other
/// descriptor but /dev/null as its standard error; its signals are as at the start of any program, whatever this thread
/// blocks. The lists end with NULL. 0 and the process, or a negated errno. Waits until the program is loaded, which a
/// file system may delay: not for the loop.
int af_spawn_prompter(const char *path, char *const arguments[], char *const environment[], int socket, int32_t *process);

/// Kills a child that nothing has waited for, with its whole session's process group.
void af_kill_prompter(int32_t process);

/// The same, and waits for the program itself: not for the loop.
void af_end_prompter(int32_t process);

/// Two connected stream sockets, O_CLOEXEC. 0 or a negated errno.
int af_socket_pair(int sockets[2]);

/// Whether a path is a character device of this user's: 1 or 0. A file system may delay it: not for the loop.
int af_is_own_terminal(const char *path);

#endif
