# SPDX-License-Identifier: Apache-2.0
import json
import types
import unittest

import autofill_client as autofill
from autofill_client import _requests, _wire, calls


class WireTests(unittest.TestCase):
    def test_a_value_that_no_line_can_hold_is_refused_before_it_is_sent(self):
        deep = []
        for _ in range(20):
            deep = [deep]
        for value, member in [
            ("a\0b", "x"), ("\ud800", "x"), (2**53, "x"), (1.5, "x"), (b"bytes", "x"), (deep, "x" + ".0" * 14),
            ({"y": {"z": "\0"}}, "x.y.z"), ({1: "a"}, "x"), ({"\ud800": "a"}, "x"), ({"y": {"a\0b": "a"}}, "x.y"),
        ]:
            with self.subTest(value=value), self.assertRaises(autofill.InvalidRequest) as caught:
                _wire.encode(1, "status", {"x": value})
            self.assertEqual(caught.exception.reasons[0].reason, "parameter-invalid")
            self.assertEqual(caught.exception.reasons[0].parameters, {"member": member})

    def test_an_invalid_name_is_refused_without_the_other_values(self):
        for method, params, member in [
            ("status", {"\ud800": 1}, {}), ("status", {"attributes": {"\udfff": "a"}}, {"member": "attributes"}),
            ("\ud800", {}, {}), (b"status", {}, {}),
        ]:
            with self.subTest(method=method, params=params), self.assertRaises(autofill.AutofillError) as caught:
                _wire.encode(1, method, {"password": "hunter2", **params})
            self.assertEqual(caught.exception.reasons[0].parameters, member)
            str(caught.exception).encode()
            for error in (caught.exception, caught.exception.__context__):
                self.assertNotIn("hunter2", repr(error) + repr(vars(error) if error else None))

    def test_a_line_is_counted_in_bytes(self):
        fits = _wire.encode(1, "status", {"x": "ä" * 100})
        self.assertEqual(_wire.encode(1, "status", {"x": "ä" * 100}, limit=len(fits) - 1), fits)
        with self.assertRaises(autofill.InvalidRequest) as caught:
            _wire.encode(1, "status", {"x": "ä" * 100}, limit=len(fits) - 2)
        self.assertTrue(caught.exception.is_for("line-too-long"))

    def test_members_that_are_none_are_left_out(self):
        self.assertEqual(json.loads(_wire.encode(None, "a", {"x": None, "y": False}))["params"], {"y": False})

    def test_a_mapping_that_is_no_dict_is_sent_as_an_object(self):
        service = _wire.Answer({"type": "domain", "value": "a.example", "tags": [{"x": 1}]})
        for params in ({"service": service}, types.MappingProxyType({"service": types.MappingProxyType(dict(service))})):
            sent = json.loads(_wire.encode(1, "status", params))["params"]
            self.assertEqual(sent, {"service": {"type": "domain", "value": "a.example", "tags": [{"x": 1}]}})

    def test_lines_are_received_in_pieces_of_any_size(self):
        whole = b"".join(b'{"id":%d,"text":"%s"}\r\n' % (number, "ä".encode() * number) for number in range(5))
        for size in (1, 2, 3, 7, 1000):
            inbox, lines = _wire.Inbox(), []
            for start in range(0, len(whole), size):
                lines += inbox.lines(whole[start:start + size])
            self.assertEqual([line["id"] for line in lines], list(range(5)))

    def test_a_malformed_answer_is_reported_without_its_text(self):
        for line in (b"secret\n", b"[1]\n", b'"secret"\n', b"\xff\n"):
            with self.assertRaises(autofill.AnswerNotUnderstood) as caught:
                _wire.Inbox().lines(line)
            self.assertNotIn("secret", str(caught.exception))
        with self.assertRaises(autofill.AnswerNotUnderstood):
            _wire.Inbox().lines(b"x" * (_wire.LONGEST_ANSWER + 1))

    def test_errors_have_different_types(self):
        def of(code, name):
            reason = {"reason": name, "message": "m", "fix": "f"}
            return type(_wire.failure({"code": code, "message": "m", "data": {"reasons": [reason]}}))

        self.assertIs(of(-32000, "vault-locked"), autofill.Refused)
        self.assertIs(of(-32602, "parameter-missing"), autofill.InvalidRequest)
        self.assertIs(of(-32800, "cancelled"), autofill.Cancelled)
        for error in ({}, {"code": -32000, "message": "m"}, {"code": -32000, "data": {"reasons": []}}, 7, None):
            self.assertIs(type(_wire.failure(error)), autofill.AnswerNotUnderstood)

    def test_a_request_that_must_not_be_sent_twice_is_not_repeatable(self):
        self.assertFalse(calls.plain("code.get", {}).is_repeatable)
        self.assertFalse(calls.fill(code="cod_1").is_repeatable)
        self.assertTrue(calls.fill("off_1").is_repeatable)
        self.assertFalse(calls.update(service="a.example", user="ann", new_user="bob").is_repeatable)
        self.assertTrue(calls.update("crd_1", new_user="bob").is_repeatable)
        self.assertTrue(calls.keychain_set("s", "a", b"", None, True).is_repeatable)
        new = {"place": {"namespace": "s", "account": "a"}, "replace": False}
        self.assertFalse(calls.plain("keychain.set", new).is_repeatable)
        self.assertFalse(calls.item_add(b"", {"a": "b"}, None, None, False, True).is_repeatable)
        self.assertTrue(calls.item_add(b"", {"a": "b"}, None, None, True, True).is_repeatable)

    def test_dropped_events_are_counted(self):
        def event(number, **members):
            return autofill.Event("vaultLocked", _wire.Answer({
                "type": "vaultLocked", "epoch": "e", "sequence": number, "at": f"2026-11-21T09:30:00.{number % 1000:03}Z",
                **members}))

        queue = _requests.EventQueue()
        for number in range(_requests.WAITING_EVENTS + 3):
            queue.put(event(number))
        self.assertEqual(queue.take(), event(0))
        self.assertEqual(queue.take(), event(1))
        queue.put(event(2000))
        seen = []
        while queue:
            seen.append(queue.take())
        self.assertEqual([each.type for each in seen[-2:]], ["eventsLost", "vaultLocked"])
        self.assertEqual(dict(seen[-2].answer), {
            "type": "eventsLost", "epoch": "e", "sequence": _requests.WAITING_EVENTS + 2, "at": "2026-11-21T09:30:00.026Z",
            "from": _requests.WAITING_EVENTS, "to": _requests.WAITING_EVENTS + 2})
        self.assertEqual(len(seen), _requests.WAITING_EVENTS)
        self.assertIsNone(queue.take())

    def test_a_dropped_report_of_the_daemon_is_counted_with_the_events_that_it_reports(self):
        queue = _requests.EventQueue()
        for number in range(1, _requests.WAITING_EVENTS + 1):
            queue.put(autofill.Event("vaultLocked", _wire.Answer({"sequence": number})))
        queue.put(autofill.Event("eventsLost", _wire.Answer({"sequence": 2000, "from": 1500, "to": 2000})))
        queue.put(autofill.Event("vaultLocked", _wire.Answer({"sequence": 2001})))
        *_, last = iter(queue.take, None)
        self.assertEqual((last.type, last.answer["from"], last.answer["to"]), ("eventsLost", 1500, 2001))

    def test_no_secret_is_shown(self):
        answer = _wire.Answer({
            "password": "hunter2", "user": "ann", "values": [{"field": "pw", "value": "hunter2"}],
            "data": {"base64": "aHVudGVyMg=="}})
        shown = [
            repr(answer), str(answer), f"{answer}", repr(answer["values"]), repr(answer["data"]), repr(dict(answer)["values"]),
            repr(autofill.Filled.read(answer)), repr(calls.save("a.example", "ann", "hunter2", True)),
            repr(calls.keychain_set("s", "a", b"hunter2", None, True)),
            repr(calls.item_add(b"hunter2", {"a": "b"}, None, None, False, True)),
            repr(autofill.Credential.read(_wire.Answer({
                "credential": "crd_1", "user": "ann", "version": "1", "password": "hunter2", "notes": "hunter2",
                "customFields": [{"name": "PIN", "value": "hunter2"}]}))),
            repr(autofill.Item.read(_wire.Answer({
                "item": "itm_1", "place": {"namespace": "s", "account": "a"}, "version": "1", "data": {"base64": "aHVudGVyMg=="}}))),
        ]
        for call, members in [
            (calls.fill("off_1"), {"values": ["hunter2"]}),
            (calls.item_get("itm_1"), {"item": "itm_1", "version": "1", "modified": "hunter2"}),
        ]:
            with self.assertRaises(autofill.AnswerNotUnderstood) as caught:
                call.read(_wire.Answer(members))
            shown.append(repr(caught.exception))
            self.assertIsNone(caught.exception.__context__)
        for text in shown:
            self.assertNotIn("hunter2", text)
            self.assertNotIn("aHVudGVyMg", text)
