# SPDX-License-Identifier: Apache-2.0
import signal
import threading
import unittest

import autofill_client as autofill
from autofill_client import calls

from .stage import PROOF, StageTest, in_child

SITE = "shop.example.com"
SIGN_UP = [{"id": "mail", "contentType": "username"}, {"id": "new", "contentType": "newPassword", "secure": True}]
#: To set it may be sent again, to check it may not.
VERIFIER = {"place": {"namespace": "login", "account": "ann"}, "password": "hunter2"}


def verifier_for(account):
    return {**VERIFIER, "place": {"namespace": "login", "account": account}}


def answered(work):
    """Runs `work` in a thread of its own. The returned function waits for its result."""
    outcome = []

    def run():
        try:
            outcome.append(work())
        except autofill.AutofillError as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()

    def join():
        thread.join(60)
        return outcome[0]

    return join


class ClientTests(StageTest):
    def test_a_sign_up(self):
        client = self.client(self.daemon())
        self.assertEqual((client.greeting.vault, client.greeting.ephemeral), ("unlocked", True))
        suggestions = client.suggest(SITE, {"id": "f1", "fields": SIGN_UP})
        self.assertEqual((suggestions.form_kind, suggestions.offer.fields), ("signUp", ("new",)))
        filled = client.fill(offer=suggestions.offer.offer)
        self.assertEqual(filled.values, {"new": filled.password})
        self.assertEqual(len(filled.password), suggestions.offer.length)
        saved = client.accept(suggestions.offer.offer, "ann@example.com")
        again = client.accept(suggestions.offer.offer, "ann@example.com")
        self.assertEqual((saved.changed, again.changed, again.id), (True, False, saved.id))
        self.assertEqual(client.credential(SITE).password, filled.password)
        offer = client.suggest(SITE, {"id": "f2", "fields": SIGN_UP}).offer.offer
        self.assertEqual([client.decline(offer).changed, client.decline(offer).changed], [True, False])

    def test_a_credential_has_notes_and_fields(self):
        client = self.client(self.daemon())
        saved = client.save(SITE, "ann", "hunter2", label="Shop")
        fields = [{"name": "PIN", "value": "1234", "secret": True}]
        self.assertTrue(client.update(saved.id, tags=["work"], notes="second floor", customFields=fields, if_version="1"))
        self.assertFalse(client.update(saved.id, tags=["work"]))
        read = client.credential(SITE, "ann")
        self.assertEqual((read.label, read.tags, read.notes, read.fields), ("Shop", ("work",), "second floor", {"PIN": "1234"}))
        self.assertEqual(read.version, "2")

    def test_a_refusal_has_every_reason_with_its_fix(self):
        client = self.client(self.daemon())
        with self.assertRaises(autofill.Refused) as caught:
            client.credential("bank.example.com")
        reason = caught.exception.reasons[0]
        self.assertEqual((reason.reason, reason.parameters["domain"]), ("domain-not-associated", "bank.example.com"))
        self.assertIn("webcredentials:bank.example.com", str(caught.exception))
        withheld = client.suggest(SITE, [{"id": "new", "contentType": "newPassword"}]).withheld["strongPassword"]
        self.assertEqual([reason.reason for reason in withheld], ["field-not-secure", "username-field-missing"])
        with self.assertRaises(autofill.InvalidRequest) as caught:
            client.call("keychain.get", accessGroup="org.example.Shop")
        self.assertTrue(caught.exception.is_for("parameter-missing"))

    def test_a_caller_that_is_not_an_app_gets_a_greeting_with_the_reasons(self):
        client = self.client(self.daemon(registrations=False))
        with self.assertRaises(autofill.Refused) as caught:
            client.keychain_set("tokens", "ann", b"x")
        self.assertTrue(caught.exception.is_for("app-not-registered"))
        with self.assertRaises(autofill.InvalidRequest):
            self.client(self.daemon(), "no bundle id")

    def test_the_largest_item_and_a_list_of_many_pages(self):
        client = self.client(self.daemon())
        data = bytes(range(256)) * 128
        client.keychain_set("large", "ann", data)
        self.assertEqual(client.keychain_get("large", "ann").data, data)
        for number in range(130):
            client.keychain_set("many", f"{number}", b"")
        self.assertEqual({item.account for item in client.keychain_list("many")}, set(map(str, range(130))))
        self.assertTrue(client.keychain_delete("large", "ann").changed)
        self.assertFalse(client.keychain_delete("large", "ann").changed)

    def test_items_are_found_by_their_attributes_and_by_their_ids(self):
        client = self.client(self.daemon())
        mail = {"server": "mail.example.com", "user": "ann"}
        first = client.item_add(b"one", mail, label="Mail").id
        second = client.item_add(b"two", mail).id
        self.assertEqual({item.item for item in client.keychain_search(mail)}, {first, second})
        self.assertEqual(client.keychain_search({"server": "www.example.com"}), ())
        client.keychain_set("tokens", "ann", b"x")
        self.assertEqual(len(client.keychain_search()), 3)
        found = client.item_get(first)
        self.assertEqual((found.data, found.label, found.attributes, found.namespace), (b"one", "Mail", mail, ""))
        self.assertTrue(client.item_change(first, attributes={"server": "www.example.com"}).changed)
        self.assertEqual(client.item_get(first).data, b"one")
        self.assertEqual([item.item for item in client.keychain_search(mail)], [second])
        self.assertEqual(client.item_add(b"three", mail, replace=True).id, second)
        self.assertTrue(client.item_delete(second).changed)
        self.assertEqual(client.keychain_search(mail), ())

    def test_answers_are_received_in_any_order(self):
        daemon = self.daemon()
        daemon.save(SITE)
        terminal, client = self.terminal(daemon), self.client(daemon)
        order = []

        def ask():
            with self.assertRaises(autofill.Refused):
                client.credential(SITE)
            order.append("held")

        held = answered(ask)
        terminal.await_question()
        client.keychain_set("tokens", "ann", b"x")
        order.append("after it")
        terminal.deny()
        held()
        self.assertEqual(order, ["after it", "held"])

    def test_many_threads_use_one_client_and_each_gets_its_own(self):
        client = self.client(self.daemon())

        def work(thread):
            for number in range(50):
                client.keychain_set(f"s{thread}", f"{number}", b"%d" % (thread * 1000 + number))
            return [int(client.keychain_get(f"s{thread}", f"{number}").data) for number in range(50)]

        joins = [answered(lambda thread=thread: work(thread)) for thread in range(8)]
        for thread, join in enumerate(joins):
            self.assertEqual(join(), [thread * 1000 + number for number in range(50)])

    def test_an_interrupted_call_cancels_its_request(self):
        daemon = self.daemon()
        daemon.save(SITE)
        terminal, client = self.terminal(daemon), self.client(daemon)
        connection, main = client._connection, threading.main_thread().ident

        class Interrupted(Exception):
            pass

        def interrupt(*_):
            raise Interrupted

        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, interrupt))
        # The parent process may have blocked it.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])
        interrupting = answered(lambda: (terminal.await_question(), signal.pthread_kill(main, signal.SIGUSR1)))
        with self.assertRaises(Interrupted):
            client.credential(SITE)
        interrupting()
        terminal.await_end()
        client.call("status")
        self.assertIs(client._connection, connection)

    def test_an_answer_after_the_timeout_is_ignored(self):
        daemon = self.daemon()
        client = self.client(daemon)
        connection = client._connection
        daemon.pause()
        with self.assertRaises(autofill.NotResponding):
            connection.perform(calls.plain("status", {}), patience=0.05)
        daemon.go_on()
        self.assertEqual(client.call("status")["daemon"]["clients"], 1)
        self.assertIs(client._connection, connection)

    def test_a_forked_child_has_a_connection_of_its_own(self):
        client = self.client(self.daemon())
        client.keychain_set("tokens", "ann", b"x")
        self.assertEqual(in_child(lambda: client.call("status")["daemon"]["clients"] == 2), 0)
        self.assertEqual(client.keychain_get("tokens", "ann").data, b"x")

    def test_a_forked_child_that_closes_does_not_end_the_parents_connection(self):
        client = self.client(self.daemon())
        connection = client._connection

        def close():
            client.close()
            client.close()
            return connection._socket.fileno() == -1

        # As if another thread held it at the fork.
        with connection._condition:
            self.assertEqual(in_child(close), 0)
        client.call("status")
        self.assertIs(client._connection, connection)

    def test_a_closed_client_raises_connection_lost(self):
        client = self.client(self.daemon())
        events = client.events()
        next(events)
        waiting = answered(lambda: list(events))
        client.close()
        client.close()
        self.assertEqual(waiting(), [])
        with self.assertRaises(autofill.ConnectionLost):
            client.call("status")


class RestartTests(StageTest):
    """The daemon is killed or stopped while the socket stays open, as with systemd."""

    def stage(self):
        daemon = self.daemon(is_ephemeral=False)
        daemon.make_vault()
        return daemon, self.client(daemon)

    def test_the_next_call_connects_again(self):
        daemon, client = self.stage()
        for number, end in enumerate((daemon.kill, daemon.terminate)):
            first = client._connection
            end()
            daemon.start()
            self.assertTrue(client.keychain_set("tokens", f"{number}", b"x").changed)
            self.assertIsNot(client._connection, first)

    def test_a_repeatable_request_is_sent_again_after_a_crash(self):
        daemon, client = self.stage()
        daemon.pause()
        waiting = answered(lambda: client.call("verifier.set", **VERIFIER))
        self.await_waiting(client)
        daemon.kill()
        daemon.start()
        self.assertIsInstance(waiting(), autofill.Answer)
        self.assertEqual(self.client(daemon).call("status")["vault"], "unlocked")

    def test_a_request_that_waited_when_the_daemon_stopped_is_sent_again(self):
        daemon, client = self.stage()
        daemon.pause()
        joins = [
            answered(lambda name=name: client.call("verifier.set", **verifier_for(name)))
            for name in ("ann", "bob")]
        self.await_waiting(client, 2)
        daemon.go_on()
        daemon.terminate()
        daemon.start()
        for join in joins:
            self.assertIsInstance(join(), autofill.Answer)

    def test_a_request_that_is_not_repeatable_is_not_sent_again(self):
        daemon, client = self.stage()
        client.call("verifier.set", **VERIFIER)
        daemon.pause()
        waiting = answered(lambda: client.call("verifier.check", **VERIFIER))
        self.await_waiting(client)
        daemon.kill()
        daemon.start()
        self.assertIsInstance(waiting(), autofill.ConnectionLost)
        self.assertEqual(client.call("status")["vault"], "unlocked")

    def test_events_continue_after_a_restart(self):
        daemon, client = self.stage()
        events = client.events()
        self.assertEqual((next(events).type, client.greeting.vault), ("stateChanged", "unlocked"))
        client.save(SITE, "ann", "hunter2")
        event = next(events)
        self.assertEqual((event.type, event.answer["service"]["value"]), ("credentialsChanged", SITE))
        daemon.lock()
        self.assertEqual(next(events).type, "vaultLocked")
        daemon.kill()
        daemon.start()
        event = next(events)
        self.assertEqual((event.type, event.answer["vault"]), ("stateChanged", "unlocked"))
        client.save(SITE, "bob", "hunter2")
        self.assertEqual(next(events).type, "credentialsChanged")

    def test_without_a_daemon_it_fails_at_once(self):
        daemon, client = self.stage()
        daemon.kill()
        daemon.listener.close()
        with self.assertRaises(autofill.NotRunning):
            client.call("status")

    def test_two_event_iterators_receive_the_same(self):
        daemon, client = self.stage()
        first, second = client.events(), client.events()
        next(first)
        next(second)
        daemon.lock()
        self.assertEqual([next(first).type, next(second).type], ["vaultLocked", "vaultLocked"])
        client.call("vault.unlock", proof=PROOF)
        self.assertEqual([next(second).type, next(first).type], ["vaultUnlocked", "vaultUnlocked"])


if __name__ == "__main__":
    unittest.main()
