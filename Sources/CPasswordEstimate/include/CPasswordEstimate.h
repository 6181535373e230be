// SPDX-License-Identifier: Apache-2.0
#ifndef AF_PASSWORD_ESTIMATE_H
#define AF_PASSWORD_ESTIMATE_H
#include <stdbool.h>

/// What the largest part of a password is that is guessed before all combinations of characters are tried.
typedef enum {
    af_pattern_none,
    af_pattern_dictionary,
    af_pattern_disguised,
    af_pattern_own_name,
    af_pattern_repetition,
    af_pattern_sequence,
    af_pattern_keys,
    af_pattern_date,
} af_password_pattern;

/// Whether libzxcvbn was linked (the package trait PasswordEstimates).
bool af_estimates_passwords(void);

/// The base-2 logarithm of the number of guesses after which a password is found, by libzxcvbn; 0 where it was not linked.
/// `own` are words that a guesser tries first, ended by NULL. Both are UTF-8, ended by a zero byte.
double af_password_estimate(const char *password, const char *own[], af_password_pattern *pattern);

#endif
