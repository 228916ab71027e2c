"""Exports with the running service (TRIBUTARY_URL, TRIBUTARY_API_KEY) and with answers that break off."""
import io
import json
import os
import shutil
import socket
import threading
import unittest
import uuid

import tributary
from tributary import connect

URL, KEY = os.environ["TRIBUTARY_URL"], os.environ["TRIBUTARY_API_KEY"]


class ServiceTest(unittest.TestCase):
    def test_an_export(self):
        for form in (1, 2):
            client = connect(URL, api_key=KEY, form=form)
            body = {"reference_id": uuid.uuid4().hex} if form == 1 else {"external_ref": uuid.uuid4().hex}
            created = client.create_user(body)
            user = created["data"]["id"] if form == 1 else created["id"]
            with client.export_user(user, format="ndjson", resources=["daily", "sleep"]) as export:
                self.assertIsNone(export.excluded)
                resources = [json.loads(line)["resource"] for line in export]
            self.assertTrue(export.closed)
            self.assertEqual(sorted(set(resources)), ["daily", "sleep"])
            for format, start in (("csv", b"date,metric"), ("parquet", b"PAR1")):
                with client.export_user(user, format=format, resources="daily") as export:
                    self.assertEqual(export.read()[: len(start)], start)
            with client.export_user(user, format="ndjson", from_="2019-01-01", to="2019-01-31") as export:
                self.assertEqual(export.read(), b"")
            copy = io.BytesIO()
            with client.export_user(user, format="bundle") as export:
                shutil.copyfileobj(export, copy)
            self.assertIn(b'"end"', copy.getvalue().splitlines()[-1])
            with self.assertRaises(tributary.InvalidParameterError):
                client.export_user(user, format="csv")
            with self.assertRaises(tributary.NotFoundError):
                client.export_user(str(uuid.uuid4()), format="ndjson")


CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n"
FIRST = CHUNKED + b"\r\n8\r\n{\"a\":1}\n\r\n"
WHOLE = FIRST + b"0\r\n\r\n"
LENGTH = b"HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n"
UNAVAILABLE = b"HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n"


class FaultTest(unittest.TestCase):
    """Each connection gets the next answer and is then closed, or stays open until the client closes it."""

    def setUp(self):
        self.answers, self.received, self.stays_open, self.closed = [], [], False, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()
        self.client = connect(f"http://127.0.0.1:{port}", api_key="sk", form=2, retry_delay=0.001)

    def tearDown(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.listener.close()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                received = b""
                while not received.endswith(b"\r\n\r\n"):
                    received += connection.recv(65536)
                self.received.append(received)
                connection.sendall(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
                if self.stays_open and not connection.recv(1):
                    self.closed.set()

    def test_is_sent_again_until_data_has_arrived(self):
        for fault in (b"", CHUNKED + b"\r\n", LENGTH, UNAVAILABLE):
            self.received.clear()
            self.answers = [fault, fault, WHOLE]
            with self.client.export_user("u1", format="ndjson", from_="2026-03-01") as export:
                self.assertEqual(export.read(), b'{"a":1}\n')
            self.assertEqual(len(self.received), 3)
            self.assertIn(b"GET /v1/users/u1/export?format=ndjson&from=2026-03-01 ", self.received[0])
        self.answers = [UNAVAILABLE]
        with self.assertRaises(tributary.ApiError):
            self.client.export_user("u1", format="ndjson", max_retries=0)

    def test_fails_if_it_breaks_off(self):
        for fault in (FIRST, FIRST + b"8\r\n{", LENGTH + b'{"a":1}\n'):
            self.received.clear()
            self.answers = [fault]
            with self.client.export_user("u1", format="ndjson") as export:
                lines = iter(export)
                self.assertEqual(next(lines), b'{"a":1}\n')
                for _ in range(2):  # not an end of the file the second time either
                    with self.assertRaisesRegex(tributary.ConnectionFailed, "export: the response is incomplete"):
                        next(lines)
            for read in (lambda file: file.read(), lambda file: shutil.copyfileobj(file, io.BytesIO())):
                with self.client.export_user("u1", format="ndjson") as export:
                    with self.assertRaises(tributary.ConnectionFailed):
                        read(export)
            self.assertEqual(len(self.received), 3)

    def test_says_what_was_excluded(self):
        self.answers = [WHOLE.replace(b"chunked\r\n", b'chunked\r\ntributary-excluded: {"providers": [], "records": {"daily": 3}}\r\n')]
        with self.client.export_user("u1", format="ndjson") as export:
            self.assertEqual(export.excluded, {"providers": [], "records": {"daily": 3}})

    def test_ends_at_its_length_and_closes_the_connection(self):
        self.stays_open = True
        self.answers = [LENGTH + b'{"a":1}\n{"b":2}\n']
        with self.client.export_user("u1", format="ndjson") as export:
            self.assertEqual(export.readlines(), [b'{"a":1}\n', b'{"b":2}\n'])
        self.assertTrue(self.closed.wait(30))

    def test_closes_the_connection_of_an_unread_file(self):
        self.stays_open = True
        self.answers = [FIRST]
        with self.client.export_user("u1", format="ndjson"):
            pass
        self.assertTrue(self.closed.wait(30))

    def test_limits_every_wait(self):
        self.stays_open = True
        self.answers = [FIRST]
        with self.client.export_user("u1", format="ndjson", timeout=0.2) as export:
            with self.assertRaises(tributary.ConnectionFailed):
                export.read()


if __name__ == "__main__":
    unittest.main()
