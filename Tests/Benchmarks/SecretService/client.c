// SPDX-License-Identifier: Apache-2.0
// client WORD...: one program that stores items through Secret Service, and times each of its calls. Items are numbered from 0.
//   fill FIRST COUNT      makes items
//   search ITEMS ROUNDS   finds one of so many by two attributes: prints each call's microseconds
//   lookup ITEMS ROUNDS   the same, and reads its secret
//   store FIRST ROUNDS    makes items: prints each call's microseconds
//   first                 one search: prints its milliseconds, with the start of what answers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

#define NAME "org.freedesktop.secrets"
#define ROOT "/org/freedesktop/secrets"

static sd_bus *bus;
static char session[256];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void check(int result, sd_bus_error *error, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", what, error && error->message ? error->message : strerror(-result));
    exit(1);
}

static sd_bus_message *call(sd_bus_message *message, const char *what) {
    sd_bus_error error = SD_BUS_ERROR_NULL;
    sd_bus_message *reply = NULL;
    check(sd_bus_call(bus, message, 60000000, &error, &reply), &error, what);
    sd_bus_message_unref(message);
    return reply;
}

static sd_bus_message *method(const char *path, const char *interface, const char *name) {
    sd_bus_message *message = NULL;
    check(sd_bus_message_new_method_call(bus, &message, NAME, path, interface, name), NULL, name);
    return message;
}

static void open_session(void) {
    sd_bus_message *message = method(ROOT, "org.freedesktop.Secret.Service", "OpenSession");
    check(sd_bus_message_append(message, "sv", "plain", "s", ""), NULL, "OpenSession");
    sd_bus_message *reply = call(message, "OpenSession");
    const char *path;
    check(sd_bus_message_skip(reply, "v"), NULL, "OpenSession");
    check(sd_bus_message_read(reply, "o", &path), NULL, "OpenSession");
    snprintf(session, sizeof session, "%s", path);
    sd_bus_message_unref(reply);
}

static void add_attributes(sd_bus_message *message, int item) {
    char server[64], user[64];
    snprintf(server, sizeof server, "server%d.example.com", item % 100);
    snprintf(user, sizeof user, "user%d", item);
    check(sd_bus_message_append(message, "a{ss}", 2, "server", server, "user", user), NULL, "attributes");
}

static void create(int item) {
    sd_bus_message *message = method(ROOT "/aliases/default", "org.freedesktop.Secret.Collection", "CreateItem");
    check(sd_bus_message_open_container(message, 'a', "{sv}"), NULL, "properties");
    check(sd_bus_message_append(message, "{sv}", "org.freedesktop.Secret.Item.Label", "s", "An item of the benchmark"), NULL, "label");
    check(sd_bus_message_open_container(message, 'e', "sv"), NULL, "attributes");
    check(sd_bus_message_append(message, "s", "org.freedesktop.Secret.Item.Attributes"), NULL, "attributes");
    check(sd_bus_message_open_container(message, 'v', "a{ss}"), NULL, "attributes");
    add_attributes(message, item);
    sd_bus_message_close_container(message);
    sd_bus_message_close_container(message);
    sd_bus_message_close_container(message);
    check(sd_bus_message_open_container(message, 'r', "oayays"), NULL, "secret");
    check(sd_bus_message_append(message, "o", session), NULL, "secret");
    check(sd_bus_message_append_array(message, 'y', "", 0), NULL, "secret");
    check(sd_bus_message_append_array(message, 'y', "a secret of some length", 23), NULL, "secret");
    check(sd_bus_message_append(message, "s", "text/plain"), NULL, "secret");
    sd_bus_message_close_container(message);
    check(sd_bus_message_append(message, "b", 0), NULL, "replace");
    sd_bus_message_unref(call(message, "CreateItem"));
}

static void search(int item, int with_secret) {
    sd_bus_message *message = method(ROOT, "org.freedesktop.Secret.Service", "SearchItems");
    add_attributes(message, item);
    sd_bus_message *reply = call(message, "SearchItems");
    char **found = NULL;
    check(sd_bus_message_read_strv(reply, &found), NULL, "SearchItems");
    sd_bus_message_unref(reply);
    if (!found || !found[0]) { fprintf(stderr, "item %d was not found\n", item); exit(1); }
    if (with_secret) {
        message = method(found[0], "org.freedesktop.Secret.Item", "GetSecret");
        check(sd_bus_message_append(message, "o", session), NULL, "GetSecret");
        sd_bus_message_unref(call(message, "GetSecret"));
    }
    for (char **path = found; *path; path++) free(*path);
    free(found);
}

int main(int count, char **words) {
    if (count < 2) return 64;
    check(sd_bus_open_user(&bus), NULL, "the bus");
    if (!strcmp(words[1], "first")) {
        double before = now();
        sd_bus_message *message = method(ROOT, "org.freedesktop.Secret.Service", "SearchItems");
        add_attributes(message, 0);
        sd_bus_message_unref(call(message, "SearchItems"));
        printf("%.1f\n", (now() - before) / 1e3);
        return 0;
    }
    if (count < 4) return 64;
    int items = atoi(words[2]), rounds = atoi(words[3]);
    open_session();
    uint32_t chance = 1;
    for (int round = 0; round < rounds; round++) {
        chance = chance * 1664525 + 1013904223;
        double before = now();
        if (!strcmp(words[1], "search") || !strcmp(words[1], "lookup")) search((chance >> 8) % items, words[1][0] == 'l');
        else create(items + round);
        if (strcmp(words[1], "fill")) printf("%.1f\n", now() - before);
    }
    return 0;
}
