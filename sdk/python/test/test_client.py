"""The client with the running service (TRIBUTARY_URL, TRIBUTARY_API_KEY) and with a faulty server."""
import base64
import hashlib
import hmac
import http.server
import io
import json
import os
import pathlib
import re
import threading
import unittest
import unittest.mock
import uuid
from contextlib import redirect_stdout

import tributary
from tributary import connect, event_pages, iterate, verify_webhook
from tributary.caller import parse_retry_after

URL, KEY = os.environ["TRIBUTARY_URL"], os.environ["TRIBUTARY_API_KEY"]
README = pathlib.Path(__file__).parent.parent / "README.md"


class ServiceTest(unittest.TestCase):
    def setUp(self):
        self.one = connect(URL, api_key=KEY, form=1)
        self.two = connect(URL + "/", api_key=KEY, form=2)

    def test_users_in_both_forms(self):
        references = [uuid.uuid4().hex for _ in range(3)]
        ids = [self.one.create_user({"reference_id": one, "seed": False})["data"]["id"] for one in references]
        by_page = [user["id"] for user in iterate(self.one.list_users, per_page=2)]
        by_cursor = [user["id"] for user in iterate(self.two.list_users, limit=2)]
        self.assertEqual(by_page, by_cursor)
        self.assertEqual(by_page[:3], ids[::-1])
        self.two.update_user(ids[0], {"timezone": "Europe/Berlin"})
        self.assertEqual(self.two.get_user(ids[0])["timezone"], "Europe/Berlin")
        self.assertEqual(self.one.delete_user(ids[0]), {"data": {"id": ids[0], "status": "deleting"}})
        with self.assertRaises(tributary.NotFoundError) as caught:
            self.two.get_user(ids[0])
        self.assertEqual((caught.exception.status, caught.exception.attempts), (404, 1))
        self.assertRegex(caught.exception.request_id, "^req_")

    def test_uploads_and_events(self):
        user = self.two.create_user({"external_ref": uuid.uuid4().hex, "seed": False})
        session = self.two.create_sdk_session(user["id"], {"installation_id": "i1", "platform": "ios"})
        anonymous = connect(URL, form=2)
        credentials = anonymous.exchange_sdk_token({"client_token": session["client_token"]})
        phone = connect(URL, token=lambda: credentials["access_token"], form=2)
        sample = {"metric": "steps", "start": "2026-03-01T08:00:00Z", "value": 120}
        upload = {"upload_id": str(uuid.uuid4()), "source": {"provider": "apple_health"}, "samples": [sample]}
        self.assertEqual(phone.upload_data(upload)["accepted"], 1)
        daily = self.two.read_daily(user["id"], types=["steps"], from_date="2026-03-01", to_date="2026-03-02")
        self.assertEqual(daily["series"]["steps"], [120, None])
        following = tributary.follow_events(self.two, poll_seconds=0.05, user_id=user["id"])
        seen = []
        while len(seen) < 2:
            seen += [event["event_type"] for event in next(following)["events"]]
        self.assertEqual(seen[:2], ["device.connected", "data.updated"])
        self.assertIsInstance(list(event_pages(self.two, limit=1))[-1]["cursor"], str)

    def test_readme(self):
        examples = re.findall(r"```python\n(.*?)```", README.read_text(), re.S)
        self.assertGreaterEqual(len(examples), 5)
        printed = io.StringIO()
        with redirect_stdout(printed):
            for number, example in enumerate(examples):
                exec(compile(example, f"README example {number}", "exec"), {})
        self.assertIn("last record: sleep 20", printed.getvalue())
        self.assertIn("exists:", printed.getvalue())
        self.assertIn("204 400", printed.getvalue())


class FaultTest(unittest.TestCase):
    def setUp(self):
        self.received, self.answers = [], []
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self):
                self.rfile.read(int(self.headers.get("content-length") or 0))
                test.received.append((self.command, self.path, dict(self.headers)))
                status, body, headers = test.answers.pop(0) if len(test.answers) > 1 else test.answers[0]
                if status is None:
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.client = connect(self.url, api_key="sk", form=2, retry_delay=0.001)

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def error(self, status, code, **headers):
        body = f'{{"error": "{code}", "message": "It is {code}.", "details": {{}}}}'.encode()
        return (status, body, {name.replace("_", "-"): value for name, value in headers.items()})

    LOST = (None, b"", {})
    OK = (200, b'{"data": [], "next_cursor": null}', {})

    def test_reads_are_sent_again(self):
        for fault in (self.LOST, self.error(429, "rate_limited"), self.error(503, "unavailable"), (502, b"<html>", {})):
            self.received.clear()
            self.answers = [fault, fault, self.OK]
            self.assertEqual(self.client.list_users()["data"], [])
            self.assertEqual(len(self.received), 3)

    def test_creations_are_sent_again_only_if_nothing_was_done(self):
        for fault, expected in ((self.LOST, tributary.ConnectionFailed), (self.error(503, "unavailable"), tributary.UnavailableError)):
            self.received.clear()
            self.answers = [fault]
            with self.assertRaises(expected):
                self.client.create_user({"external_ref": "a"})
            self.assertEqual(len(self.received), 1)
        self.answers = [self.error(503, "overloaded"), (201, b'{"id": "u1"}', {})]
        self.assertEqual(self.client.create_user({"external_ref": "a"})["id"], "u1")

    def test_an_error_shows_its_issues(self):
        issues = [{"path": "a", "message": "must be a date"}, {"path": "", "message": "is empty"}]
        for count, text in ((2, "a: must be a date; is empty"), (4, "a: must be a date; is empty; a: must be a date and 1 more")):
            body = {"error": "invalid_parameter", "message": "A parameter is invalid. See details.issues.", "details": {"issues": (issues * 2)[:count]}}
            self.answers = [(400, json.dumps(body).encode(), {})]
            with self.assertRaises(tributary.InvalidParameterError) as caught:
                self.client.list_users()
            self.assertEqual(str(caught.exception), "A parameter is invalid. " + text)
            self.assertEqual(caught.exception.message, body["message"])
        self.answers = [(400, b'{"error": "invalid_metric", "message": "Unknown.", "details": {"unsupported": ["stepz"]}}', {})]
        with self.assertRaisesRegex(tributary.InvalidMetricError, "^Unknown. stepz$"):
            self.client.list_users()

    def test_a_long_retry_after_fails_at_once(self):
        self.answers = [self.error(429, "rate_limited", retry_after="31")]
        with self.assertRaises(tributary.RateLimitedError):
            self.client.list_users()
        self.assertEqual(len(self.received), 1)

    def test_an_expired_token_is_replaced_once(self):
        tokens = iter(["old", "new"])
        client = connect(self.url, token=lambda: next(tokens), form=2)
        self.answers = [self.error(401, "token_expired"), self.OK]
        client.list_users()
        self.assertEqual([headers["authorization"] for _, _, headers in self.received], ["Bearer old", "Bearer new"])

    def test_a_credential_with_a_line_break_is_refused_and_not_shown(self):
        for key in ("sk_live_secret\n", "sk_live_secr\u20act"):
            with self.assertRaises(ValueError) as caught:
                connect(self.url, api_key=key, form=2).list_users()
            self.assertNotIn("secr", str(caught.exception))

    def test_certificates_are_read_once(self):
        with unittest.mock.patch("ssl.create_default_context") as create:
            client = connect("https://127.0.0.1:1", api_key="sk", form=2, max_retries=2, retry_delay=0.001)
            with self.assertRaises(tributary.ConnectionFailed) as caught:
                client.list_users()
        self.assertEqual((caught.exception.attempts, create.call_count), (3, 1))

    def test_deletions_and_keys(self):
        self.answers = [self.LOST, self.error(404, "not_found")]
        self.assertIsNone(self.client.delete_webhook("w1"))
        self.answers = [self.LOST, self.error(401, "invalid_token")]
        self.assertIsNone(self.client.revoke_current_sdk_session())
        self.answers = [self.error(401, "invalid_token")]
        with self.assertRaises(tributary.InvalidTokenError):
            self.client.revoke_current_sdk_session()
        self.answers = [self.LOST, (200, b'{"session_id": "s1"}', {})]
        self.received.clear()
        self.client.create_sdk_session("u1", {"installation_id": "i1", "platform": "ios"})
        keys = {headers["idempotency-key"] for _, _, headers in self.received}
        self.assertEqual((len(self.received), len(keys)), (2, 1))

    def test_requests(self):
        self.answers = [self.OK]
        self.client.read_daily("u 1", types=["steps", "weight"], include_sources=True)
        self.assertEqual(self.received[0][1], "/v1/users/u%201/daily?types=steps%2Cweight&include_sources=true")
        for value in ("", ".", ".."):
            with self.assertRaises(ValueError):
                self.client.delete_user(value)
        self.assertEqual(parse_retry_after("7"), 7)

    def test_addresses(self):
        for url, expected in (
            ("http://[2001:db8::5]", ("2001:db8::5", 80)),
            ("https://[2001:db8::5]/base", ("2001:db8::5", 443)),
            ("http://[::1]:8080", ("::1", 8080)),
            ("https://health.example.com", ("health.example.com", 443)),
        ):
            connection = connect(url, form=2)._open(1.0)
            self.assertEqual((connection.host, connection.port), expected)


class WebhookTest(unittest.TestCase):
    SECRET = "whsec_" + base64.b64encode(b"7" * 32).decode()
    BODY = '{"event_id": "e1", "note": "é"}'.encode()

    def sign(self, body=BODY, at="1000", key=b"7" * 32):
        digest = hmac.new(key, f"e1.{at}.".encode() + body, hashlib.sha256).digest()
        return {"Webhook-Id": "e1", "Webhook-Timestamp": at, "Webhook-Signature": "v1," + base64.b64encode(digest).decode()}

    def expect(self, reason, headers, body=BODY, secret=SECRET, now=1000):
        with self.assertRaises(tributary.WebhookVerificationError) as caught:
            verify_webhook(secret, headers, body, now=now)
        self.assertEqual(caught.exception.reason, reason)

    def test_deliveries(self):
        self.assertEqual(verify_webhook(self.SECRET, self.sign(), self.BODY, now=1300)["event_id"], "e1")
        other = "whsec_" + base64.b64encode(b"8" * 32).decode()
        verify_webhook([other, self.SECRET], self.sign(), self.BODY, now=1000)
        several = {**self.sign(), "Webhook-Signature": "v1,é v2,x " + self.sign()["Webhook-Signature"]}
        verify_webhook(self.SECRET, several, self.BODY, now=1000)
        self.expect("wrong_signature", self.sign(), body=self.BODY + b" ")
        self.expect("wrong_signature", self.sign(), secret=other)
        self.expect("expired", self.sign(), now=1301)
        self.expect("expired", self.sign(), now=699)
        self.expect("invalid_timestamp", self.sign(at="1e3"))
        self.expect("missing_header", {})
        self.expect("invalid_body", self.sign(body=b"x"), body=b"x")


if __name__ == "__main__":
    unittest.main()
