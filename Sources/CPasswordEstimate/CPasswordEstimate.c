// SPDX-License-Identifier: Apache-2.0
#include "CPasswordEstimate.h"

#ifdef AF_PASSWORD_ESTIMATES
#include <stddef.h>
#include <zxcvbn.h>

bool af_estimates_passwords(void) { return true; }

static af_password_pattern pattern_of(int type) {
    switch (type & ~MULTIPLE_MATCH) {
    case DICTIONARY_MATCH: return af_pattern_dictionary;
    case DICT_LEET_MATCH: return af_pattern_disguised;
    case USER_MATCH:
    case USER_LEET_MATCH: return af_pattern_own_name;
    case REPEATS_MATCH: return af_pattern_repetition;
    case SEQUENCE_MATCH: return af_pattern_sequence;
    case SPATIAL_MATCH: return af_pattern_keys;
    case DATE_MATCH:
    case YEAR_MATCH: return af_pattern_date;
    default: return af_pattern_none;
    }
}

double af_password_estimate(const char *password, const char *own[], af_password_pattern *pattern) {
    ZxcMatch_t *matches = NULL;
    double bits = ZxcvbnMatch(password, own, &matches);
    int longest = 0;
    *pattern = af_pattern_none;
    for (ZxcMatch_t *match = matches; match; match = match->Next) {
        if (pattern_of(match->Type) != af_pattern_none && match->Length > longest) {
            longest = match->Length;
            *pattern = pattern_of(match->Type);
        }
    }
    ZxcvbnFreeInfo(matches);
    return bits;
}

#else

bool af_estimates_passwords(void) { return false; }

double af_password_estimate(const char *password, const char *own[], af_password_pattern *pattern) {
    (void)password;
    (void)own;
    *pattern = af_pattern_none;
    return 0;
}

#endif
