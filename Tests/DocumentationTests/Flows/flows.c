// SPDX-License-Identifier: Apache-2.0
// An app's three flows in C, written from protocol.md alone: `flows signUp|signIn|changePassword`.
// It prints the user name and the password that went into the form.

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define SHOP "\"service\":{\"type\":\"domain\",\"value\":\"shop.example.com\"}"
#define USER_FIELD "{\"id\":\"mail\",\"contentType\":\"username\"}"
#define OLD_FIELD "{\"id\":\"old\",\"contentType\":\"password\",\"secure\":true}"
#define NEW_FIELDS \
    "{\"id\":\"new\",\"contentType\":\"newPassword\",\"secure\":true}," \
    "{\"id\":\"again\",\"contentType\":\"newPassword\",\"secure\":true}"

static void fail(const char *message) {
    fprintf(stderr, "%s\n", message);
    exit(1);
}

// ---- JSON, as far as a client has to read it: white space may be between tokens, members come in any order.

static const char *past_space(const char *text) { return text + strspn(text, " \t\r\n"); }

static const char *past_string(const char *text) {
    for (text++; *text && *text != '"'; text++)
        if (*text == '\\' && text[1]) text++;
    return *text ? text + 1 : text;
}

static const char *past_value(const char *text) {
    int depth = 0;
    if (*text != '"' && *text != '{' && *text != '[') return text + strcspn(text, ",]} \t\r\n");
    do {
        if (*text == '"') {
            text = past_string(text);
            continue;
        }
        if (*text == '{' || *text == '[') depth++;
        if (*text == '}' || *text == ']') depth--;
        text++;
    } while (*text && depth > 0);
    return text;
}

// The value of an object's member; NULL where it has none.
static const char *member(const char *object, const char *name) {
    if (!object || *(object = past_space(object)) != '{') return NULL;
    object = past_space(object + 1);
    while (*object == '"') {
        const char *end = past_string(object);
        bool found = (size_t)(end - object) == strlen(name) + 2 && !strncmp(object + 1, name, strlen(name));
        const char *value = past_space(past_space(end) + 1);
        if (found) return value;
        object = past_space(past_value(value));
        if (*object == ',') object = past_space(object + 1);
    }
    return NULL;
}

// The first element of an array, or the one after another; NULL behind the last.
static const char *element(const char *array, const char *before) {
    const char *next = before ? past_space(past_value(before)) : array ? past_space(array) : NULL;
    if (!next || *next != (before ? ',' : '[')) return NULL;
    next = past_space(next + 1);
    return *next == ']' ? NULL : next;
}

// A string's text; NULL where it is none.
static char *string(const char *value) {
    if (!value || *value != '"') return NULL;
    char *text = malloc(past_string(value) - value), *end = text;
    for (value++; *value != '"'; value++) {
        unsigned code = 0;
        if (*value != '\\') {
            *end++ = *value;
        } else if (*++value != 'u') {
            const char *found = strchr("n\nt\tr\rb\bf\f", *value);
            *end++ = found ? found[1] : *value;
        } else if (sscanf(value + 1, "%4x", &code) == 1 && code < 0x80) {
            *end++ = (char)code;
            value += 4;
        } else {
            fail("an escape that no password of these flows has");
        }
    }
    *end = 0;
    return text;
}

static bool is(const char *value, const char *text) {
    char *found = string(value);
    bool equal = found && !strcmp(found, text);
    free(found);
    return equal;
}

// The element of an array whose member is this text; NULL where there is none.
static const char *with(const char *array, const char *name, const char *text) {
    const char *each = NULL;
    while ((each = element(array, each)))
        if (is(member(each, name), text)) return each;
    return NULL;
}

// ---- the connection

static FILE *input, *output;

static void connect_to_daemon(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *path = getenv("AUTOFILLD_SOCKET"), *directory = getenv("XDG_RUNTIME_DIR");
    if (!path && !directory) fail("no login session");
    int length = path ? snprintf(address.sun_path, sizeof address.sun_path, "%s", path)
                      : snprintf(address.sun_path, sizeof address.sun_path, "%s/autofilld/socket", directory);
    if (length >= (int)sizeof address.sun_path) fail("the path is too long");
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address)) fail("autofilld is not there");
    struct timeval patience = {.tv_sec = 5};
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    input = fdopen(made, "r");
    output = fdopen(dup(made), "w");
}

// Sends a request and returns its result. Its line is never freed: this program is short.
static const char *call(const char *method, const char *parameters) {
    static int id;
    char *line = NULL;
    size_t size = 0;
    fprintf(output, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}\n", ++id, method, parameters);
    fflush(output);
    // One request at a time: what comes next is its answer, but for notifications, which have no id.
    do {
        if (getline(&line, &size, input) < 0) fail("autofilld does not answer");
    } while (!member(line, "id"));
    const char *error = member(line, "error");
    if (!error && atoi(member(line, "id")) != id) fail("the answer to another request");
    if (error) fail(string(member(element(member(member(error, "data"), "reasons"), NULL), "fix")));
    // A user may take longer.
    setsockopt(fileno(input), SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){0}, sizeof(struct timeval));
    return member(line, "result");
}

static const char *call_with(const char *method, const char *format, const char *first, const char *second) {
    char parameters[2048];
    snprintf(parameters, sizeof parameters, format, first, second);
    return call(method, parameters);
}

static char *value_of(const char *filled, const char *field) {
    char *value = string(member(with(member(filled, "values"), "field", field), "value"));
    if (!value) fail("a field was not filled");
    return value;
}

static char *offer_in(const char *suggested) {
    const char *withheld = with(member(suggested, "withheld"), "type", "strongPassword");
    if (withheld) fail(string(member(element(member(withheld, "reasons"), NULL), "fix")));
    return string(member(with(member(suggested, "suggestions"), "type", "strongPassword"), "offer"));
}

// ---- the flows

static void sign_up(void) {
    char *offer = offer_in(call("autofill.suggest", SHOP ",\"form\":{\"id\":\"c-1\",\"fields\":[" USER_FIELD "," NEW_FIELDS "]}"));
    const char *filled = call_with("autofill.fill", "\"offer\":\"%s\"", offer, "");
    if (strcmp(value_of(filled, "new"), value_of(filled, "again"))) fail("two new passwords");
    // The site accepts the form here.
    call_with("autofill.accept", "\"offer\":\"%s\",\"user\":\"%s\"", offer, "ann@example.com");
    printf("ann@example.com %s\n", value_of(filled, "new"));
}

static void sign_in(void) {
    const char *filled = call(
        "autofill.fill",
        SHOP ",\"form\":{\"fields\":[" USER_FIELD ",{\"id\":\"password\",\"contentType\":\"password\",\"secure\":true}]}");
    printf("%s %s\n", value_of(filled, "mail"), value_of(filled, "password"));
}

static void change_password(void) {
    const char *form = SHOP ",\"form\":{\"id\":\"c-2\",\"fields\":[" OLD_FIELD "," NEW_FIELDS "]}";
    const char *suggested = call("autofill.suggest", form);
    const char *current = call("autofill.fill", SHOP ",\"form\":{\"fields\":[" OLD_FIELD "," NEW_FIELDS "]}");
    char *offer = offer_in(suggested), *user = string(member(current, "user"));
    const char *filled = call_with("autofill.fill", "\"offer\":\"%s\"", offer, "");
    if (!strcmp(value_of(current, "old"), value_of(filled, "new"))) fail("the old password once more");
    const char *saved = with(member(suggested, "suggestions"), "type", "savedCredentials");
    // It is named to an app that the user has allowed for longer than this once.
    char *credential = string(member(with(member(saved, "credentials"), "user", user), "credential"));
    if (credential) call_with("autofill.accept", "\"offer\":\"%s\",\"replaces\":\"%s\"", offer, credential);
    else call_with("autofill.accept", "\"offer\":\"%s\",\"user\":\"%s\"", offer, user);
    printf("%s %s\n", user, value_of(filled, "new"));
}

int main(int count, char **arguments) {
    if (count != 2) fail("flows signUp|signIn|changePassword");
    connect_to_daemon();
    call("hello", "\"bundleID\":\"org.example.Shop\",\"protocol\":{\"min\":1,\"max\":1}");
    if (!strcmp(arguments[1], "signUp")) sign_up();
    else if (!strcmp(arguments[1], "signIn")) sign_in();
    else change_password();
    return 0;
}
