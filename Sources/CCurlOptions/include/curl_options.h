// SPDX-License-Identifier: Apache-2.0
// libcurl's variadic functions, which Swift cannot call: one function for each kind of argument. An option has one kind
// (see its manual page); curl_easy_setopt reads garbage for another.
#ifndef CCURLOPTIONS_H
#define CCURLOPTIONS_H

#include <curl/curl.h>
#include <stddef.h>

/// Receives `size` * `count` bytes; another return value than that ends the transfer.
typedef size_t (*af_curl_take)(char *bytes, size_t size, size_t count, void *context);

/// CURLOPT_TIMEOUT_MS, CURLOPT_SSL_VERIFYPEER and other numbers and switches.
CURLcode af_curl_set_long(CURL *transfer, CURLoption option, long value);

/// CURLOPT_URL and other texts, which libcurl copies. NULL resets the option.
CURLcode af_curl_set_text(CURL *transfer, CURLoption option, const char *text);

/// CURLOPT_CONNECT_TO and CURLOPT_HTTPHEADER: the list has to outlive the transfer.
CURLcode af_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *list);

/// CURLOPT_PRIVATE, CURLOPT_WRITEDATA and the like: what a callback is given.
CURLcode af_curl_set_context(CURL *transfer, CURLoption option, void *context);

/// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION.
CURLcode af_curl_set_take(CURL *transfer, CURLoption option, af_curl_take take);

/// CURLOPT_OPENSOCKETFUNCTION.
CURLcode af_curl_set_open_socket(CURL *transfer, curl_opensocket_callback open_socket);

/// CURLINFO_SSL_VERIFYRESULT and other numbers; 0 where there is none.
long af_curl_long(CURL *transfer, CURLINFO info);

/// CURLINFO_CONNECT_TIME_T and other microseconds; 0 where there are none.
curl_off_t af_curl_microseconds(CURL *transfer, CURLINFO info);

/// CURLINFO_CAPATH and other texts of the transfer's; NULL where there is none.
const char *af_curl_text(CURL *transfer, CURLINFO info);

/// CURLINFO_PRIVATE.
void *af_curl_context(CURL *transfer);

#endif
