// SPDX-License-Identifier: Apache-2.0
// The distribution's libcurl, whose TLS the distribution keeps.
#include <curl/curl.h>
