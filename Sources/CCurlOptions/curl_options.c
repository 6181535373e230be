// SPDX-License-Identifier: Apache-2.0
#include "curl_options.h"

CURLcode af_curl_set_long(CURL *transfer, CURLoption option, long value) {
    return curl_easy_setopt(transfer, option, value);
}

CURLcode af_curl_set_text(CURL *transfer, CURLoption option, const char *text) {
    return curl_easy_setopt(transfer, option, text);
}

CURLcode af_curl_set_list(CURL *transfer, CURLoption option, struct curl_slist *list) {
    return curl_easy_setopt(transfer, option, list);
}

CURLcode af_curl_set_context(CURL *transfer, CURLoption option, void *context) {
    return curl_easy_setopt(transfer, option, context);
}

CURLcode af_curl_set_take(CURL *transfer, CURLoption option, af_curl_take take) {
    return curl_easy_setopt(transfer, option, take);
}

CURLcode af_curl_set_open_socket(CURL *transfer, curl_opensocket_callback open_socket) {
    return curl_easy_setopt(transfer, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}

long af_curl_long(CURL *transfer, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(transfer, info, &value) == CURLE_OK ? value : 0;
}

curl_off_t af_curl_microseconds(CURL *transfer, CURLINFO info) {
    curl_off_t value = 0;
    return curl_easy_getinfo(transfer, info, &value) == CURLE_OK ? value : 0;
}

const char *af_curl_text(CURL *transfer, CURLINFO info) {
    char *text = NULL;
    return curl_easy_getinfo(transfer, info, &text) == CURLE_OK ? text : NULL;
}

void *af_curl_context(CURL *transfer) {
    char *context = NULL;
    return curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : NULL;
}
