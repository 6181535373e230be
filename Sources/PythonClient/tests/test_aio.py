# SPDX-License-Identifier: Apache-2.0
import asyncio
import unittest

import autofill_client as autofill

from .stage import StageTest, in_child
from .test_client import SIGN_UP, SITE, VERIFIER, verifier_for


class AsyncClientTests(StageTest):
    def run_with(self, daemon, work):
        async def run():
            async with autofill.AsyncClient("org.example.Shop", daemon.socket) as client:
                return await asyncio.wait_for(work(client), 60)

        return asyncio.run(run())

    def restarting(self):
        daemon = self.daemon(is_ephemeral=False)
        daemon.make_vault()
        return daemon

    def test_a_sign_up(self):
        async def work(client):
            offer = (await client.suggest(SITE, SIGN_UP)).offer
            filled = await client.fill(offer=offer.offer)
            await client.accept(offer.offer, "ann@example.com")
            self.assertEqual((await client.credential(SITE)).password, filled.password)
            with self.assertRaises(autofill.Refused) as caught:
                await client.credential("bank.example.com")
            self.assertTrue(caught.exception.is_for("domain-not-associated"))

        self.run_with(self.daemon(), work)

    def test_many_at_the_same_time_in_any_order(self):
        daemon = self.daemon()
        daemon.save(SITE)
        terminal = self.terminal(daemon)

        async def work(client):
            held = asyncio.ensure_future(client.credential(SITE))
            await asyncio.gather(*(client.keychain_set("s", f"{number}", b"%d" % number) for number in range(200)))
            items = await asyncio.gather(*(client.keychain_get("s", f"{number}") for number in range(200)))
            self.assertEqual([int(item.data) for item in items], list(range(200)))
            self.assertEqual(len(await client.keychain_list("s")), 200)
            terminal.await_question()
            self.assertFalse(held.done())
            terminal.deny()
            with self.assertRaises(autofill.Refused) as caught:
                await held
            self.assertTrue(caught.exception.is_for("consent-denied"))

        self.run_with(daemon, work)

    def test_a_cancelled_task_cancels_its_request(self):
        daemon = self.daemon()
        daemon.save(SITE)
        terminal = self.terminal(daemon)

        async def work(client):
            held = asyncio.ensure_future(client.credential(SITE))
            await client.call("status")
            terminal.await_question()
            held.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await held
            await client.call("status")
            terminal.await_end()

        self.run_with(daemon, work)

    def test_only_a_repeatable_request_is_sent_again(self):
        daemon = self.restarting()

        async def work(client):
            await client.call("verifier.set", **VERIFIER)
            daemon.pause()
            again = asyncio.ensure_future(client.call("verifier.set", **verifier_for("bob")))
            once = asyncio.ensure_future(client.call("verifier.check", **VERIFIER))
            while len(client._connection._requests._waiting) < 2:
                await asyncio.sleep(0)
            daemon.kill()
            daemon.start()
            self.assertIsInstance(await again, autofill.Answer)
            with self.assertRaises(autofill.ConnectionLost):
                await once

        self.run_with(daemon, work)

    def test_events_continue_after_a_restart(self):
        daemon = self.restarting()

        async def work(client):
            seen = []
            async for event in client.events():
                seen.append(event.type)
                if seen == ["stateChanged"]:
                    daemon.lock()
                elif seen == ["stateChanged", "vaultLocked"]:
                    daemon.kill()
                    daemon.start()
                elif len(seen) == 3:
                    return seen

        self.assertEqual(self.run_with(daemon, work), ["stateChanged", "vaultLocked", "stateChanged"])

    def test_all_waiting_calls_use_one_attempt_to_connect(self):
        daemon = self.daemon()

        async def work():
            client = autofill.AsyncClient("org.example.Shop", daemon.socket)
            first, *others = [asyncio.ensure_future(client.call("status")) for _ in range(10)]
            await asyncio.sleep(0)
            first.cancel()
            self.assertEqual({(await other)["daemon"]["clients"] for other in others}, {1})
            await client.close()
            with self.assertRaises(autofill.ConnectionLost):
                await client.call("status")

        asyncio.run(work())

    def test_a_forked_child_that_closes_does_not_end_the_parents_connection(self):
        async def work(client):
            connection = client._connection
            closed = in_child(lambda: asyncio.run(client.close()) is None and connection._socket.fileno() == -1)
            self.assertEqual(closed, 0)
            await client.call("status")
            self.assertIs(client._connection, connection)

        self.run_with(self.daemon(), work)

    def test_without_a_daemon_it_fails_at_once(self):
        async def work():
            with self.assertRaises(autofill.NotInstalled):
                await autofill.AsyncClient("org.example.Shop", "/tmp/there/is/no/such/socket").call("status")

        asyncio.run(work())


if __name__ == "__main__":
    unittest.main()
