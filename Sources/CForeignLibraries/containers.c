// SPDX-License-Identifier: Apache-2.0
#include "CForeignLibraries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#ifdef AF_FOREIGN_LIBRARIES
#include <archive.h>
#include <archive_entry.h>
#include <expat.h>
#include <zlib.h>

struct af_inflate_state {
    z_stream stream;
    const uint8_t *next;
    size_t left;
    bool is_ended;
};

enum { GZIP = 16 + MAX_WBITS };

struct af_inflate_state *af_inflate_open(const void *bytes, size_t count) {
    struct af_inflate_state *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->next = bytes;
    state->left = count;
    if (inflateInit2(&state->stream, GZIP) == Z_OK) return state;
    free(state);
    return NULL;
}

ptrdiff_t af_inflate_next(struct af_inflate_state *state, void *target, size_t count) {
    if (state->is_ended) return 0;
    z_stream *stream = &state->stream;
    stream->next_out = target;
    stream->avail_out = count > UINT_MAX ? UINT_MAX : (unsigned)count;
    unsigned capacity = stream->avail_out;
    while (stream->avail_out == capacity) {
        if (stream->avail_in == 0 && state->left > 0) {
            stream->avail_in = state->left > UINT_MAX ? UINT_MAX : (unsigned)state->left;
            stream->next_in = (Bytef *)state->next;
            state->next += stream->avail_in;
            state->left -= stream->avail_in;
        }
        int result = inflate(stream, Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            state->is_ended = true;
            break;
        }
        if (result != Z_OK) return -1;
    }
    return (ptrdiff_t)(capacity - stream->avail_out);
}

void af_inflate_close(struct af_inflate_state *state) {
    if (!state) return;
    inflateEnd(&state->stream);
    free(state);
}

struct af_deflate_state {
    z_stream stream;
    const uint8_t *next;
    size_t left;
    bool is_ended;
};

struct af_deflate_state *af_deflate_open(void) {
    struct af_deflate_state *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    if (deflateInit2(&state->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, 8, Z_DEFAULT_STRATEGY) == Z_OK) return state;
    free(state);
    return NULL;
}

void af_deflate_input(struct af_deflate_state *state, const void *bytes, size_t count) {
    state->next = bytes;
    state->left = count;
}

ptrdiff_t af_deflate_next(struct af_deflate_state *state, bool is_last, void *target, size_t count) {
    if (state->is_ended) return 0;
    z_stream *stream = &state->stream;
    stream->next_out = target;
    stream->avail_out = count > UINT_MAX ? UINT_MAX : (unsigned)count;
    unsigned capacity = stream->avail_out;
    while (stream->avail_out == capacity) {
        if (stream->avail_in == 0 && state->left > 0) {
            stream->avail_in = state->left > UINT_MAX ? UINT_MAX : (unsigned)state->left;
            stream->next_in = (Bytef *)state->next;
            state->next += stream->avail_in;
            state->left -= stream->avail_in;
        }
        bool is_end = is_last && state->left == 0;
        if (stream->avail_in == 0 && !is_end) break;
        int result = deflate(stream, is_end ? Z_FINISH : Z_NO_FLUSH);
        if (result == Z_STREAM_END) {
            state->is_ended = true;
            break;
        }
        if (result != Z_OK) return -1;
    }
    return (ptrdiff_t)(capacity - stream->avail_out);
}

void af_deflate_close(struct af_deflate_state *state) {
    if (!state) return;
    deflateEnd(&state->stream);
    free(state);
}

struct parsing {
    XML_Parser parser;
    const struct af_xml_handlers *handlers;
    bool has_entity, is_stopped;
    size_t line, column;
};

static void stop(struct parsing *parsing) {
    parsing->is_stopped = true;
    parsing->line = XML_GetCurrentLineNumber(parsing->parser);
    parsing->column = XML_GetCurrentColumnNumber(parsing->parser) + 1;
    XML_StopParser(parsing->parser, XML_FALSE);
}

static void start_element(void *data, const XML_Char *name, const XML_Char **attributes) {
    struct parsing *parsing = data;
    if (!parsing->is_stopped && !parsing->handlers->start(parsing->handlers->context, name, (const char *const *)attributes)) stop(parsing);
}

static void end_element(void *data, const XML_Char *name) {
    struct parsing *parsing = data;
    if (!parsing->is_stopped && !parsing->handlers->end(parsing->handlers->context, name)) stop(parsing);
}

static void characters(void *data, const XML_Char *bytes, int count) {
    struct parsing *parsing = data;
    if (!parsing->is_stopped && !parsing->handlers->text(parsing->handlers->context, bytes, (size_t)count)) stop(parsing);
}

static void document_type(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public, int has_subset) {
    (void)name, (void)system, (void)public, (void)has_subset;
    struct parsing *parsing = data;
    parsing->has_entity = true;
    stop(parsing);
}

enum af_xml_result af_xml_parse(const void *bytes, size_t count, const struct af_xml_handlers *handlers, size_t *line, size_t *column) {
    struct parsing parsing = {.parser = XML_ParserCreate(NULL), .handlers = handlers};
    if (!parsing.parser) return AF_XML_MALFORMED;
    XML_SetUserData(parsing.parser, &parsing);
    XML_SetElementHandler(parsing.parser, start_element, end_element);
    XML_SetCharacterDataHandler(parsing.parser, characters);
    XML_SetStartDoctypeDeclHandler(parsing.parser, document_type);
    enum XML_Status status = XML_STATUS_OK;
    const char *next = bytes;
    for (size_t left = count; status == XML_STATUS_OK;) {
        size_t block = left < 1 << 20 ? left : 1 << 20;
        status = XML_Parse(parsing.parser, next, (int)block, block == left);
        if (block == left) break;
        next += block;
        left -= block;
    }
    *line = parsing.is_stopped ? parsing.line : XML_GetCurrentLineNumber(parsing.parser);
    *column = parsing.is_stopped ? parsing.column : XML_GetCurrentColumnNumber(parsing.parser) + 1;
    XML_ParserFree(parsing.parser);
    if (parsing.has_entity) return AF_XML_ENTITY;
    if (parsing.is_stopped) return AF_XML_STOPPED;
    return status == XML_STATUS_OK ? AF_XML_READ : AF_XML_MALFORMED;
}

struct af_archive_state {
    struct archive *archive;
};

struct af_archive_state *af_archive_open(const void *bytes, size_t count) {
    struct af_archive_state *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->archive = archive_read_new();
    if (state->archive && archive_read_support_format_zip_seekable(state->archive) == ARCHIVE_OK &&
        archive_read_open_memory(state->archive, bytes, count) == ARCHIVE_OK)
        return state;
    af_archive_close(state);
    return NULL;
}

const char *af_archive_next(struct af_archive_state *state, bool *is_damaged) {
    struct archive_entry *entry;
    int result = archive_read_next_header(state->archive, &entry);
    *is_damaged = result != ARCHIVE_EOF && result < ARCHIVE_WARN;
    if (result == ARCHIVE_EOF || *is_damaged) return NULL;
    const char *name = archive_entry_pathname_utf8(entry);
    if (!name) name = archive_entry_pathname(entry);
    return name ? name : "";
}

ptrdiff_t af_archive_read(struct af_archive_state *state, void *target, size_t count) {
    return archive_read_data(state->archive, target, count);
}

void af_archive_close(struct af_archive_state *state) {
    if (!state) return;
    if (state->archive) archive_read_free(state->archive);
    free(state);
}

#else

struct af_inflate_state *af_inflate_open(const void *bytes, size_t count) {
    (void)bytes, (void)count;
    return NULL;
}
ptrdiff_t af_inflate_next(struct af_inflate_state *state, void *target, size_t count) {
    (void)state, (void)target, (void)count;
    return -1;
}
void af_inflate_close(struct af_inflate_state *state) { (void)state; }
struct af_deflate_state *af_deflate_open(void) { return NULL; }
void af_deflate_input(struct af_deflate_state *state, const void *bytes, size_t count) { (void)state, (void)bytes, (void)count; }
ptrdiff_t af_deflate_next(struct af_deflate_state *state, bool is_last, void *target, size_t count) {
    (void)state, (void)is_last, (void)target, (void)count;
    return -1;
}
void af_deflate_close(struct af_deflate_state *state) { (void)state; }
enum af_xml_result af_xml_parse(const void *bytes, size_t count, const struct af_xml_handlers *handlers, size_t *line, size_t *column) {
    (void)bytes, (void)count, (void)handlers;
    *line = *column = 1;
    return AF_XML_MALFORMED;
}
struct af_archive_state *af_archive_open(const void *bytes, size_t count) {
    (void)bytes, (void)count;
    return NULL;
}
const char *af_archive_next(struct af_archive_state *state, bool *is_damaged) {
    (void)state;
    *is_damaged = true;
    return NULL;
}
ptrdiff_t af_archive_read(struct af_archive_state *state, void *target, size_t count) {
    (void)state, (void)target, (void)count;
    return -1;
}
void af_archive_close(struct af_archive_state *state) { (void)state; }

#endif
