# SPDX-License-Identifier: MIT
"""An S3 server in a process of its own, and a wire to it that breaks in the middle."""

from __future__ import annotations

import functools
import http.server
import importlib
import random
import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from programs import running

BUCKET = "studio"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def s3_server() -> Iterator[int]:
    """Its port."""
    port = free_port()
    program = Path(sys.executable).with_name("moto_server")
    with running([sys.executable, program, "-H", "127.0.0.1", "-p", port]):
        end = time.monotonic() + 60
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert time.monotonic() < end, "the server did not start"
            time.sleep(0.1)
        yield port


def settings(port: int) -> dict[str, str]:
    """The environment in which programs find the server."""
    return {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "farm",
        "AWS_SECRET_ACCESS_KEY": "farm",
        "AWS_DEFAULT_REGION": "us-east-1",
    }


class Bucket:
    """A bucket, through Amazon's own client: another one than the farm's."""

    def __init__(self, port: int) -> None:
        boto3: Any = importlib.import_module("boto3")
        given = settings(port)
        self._client = boto3.client(
            "s3",
            endpoint_url=given["AWS_ENDPOINT_URL"],
            aws_access_key_id=given["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=given["AWS_SECRET_ACCESS_KEY"],
            region_name=given["AWS_DEFAULT_REGION"],
        )
        self._client.create_bucket(Bucket=BUCKET)

    def put(self, key: str, data: bytes) -> None:
        self._client.put_object(Bucket=BUCKET, Key=key, Body=data)

    def put_all(self, folder: Path, below: str) -> None:
        """Copies a folder's files into the bucket."""
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                key = f"{below}/{path.relative_to(folder).as_posix()}"
                self.put(key, path.read_bytes())

    def get_all(self, below: str) -> dict[str, bytes]:
        """{place below a folder of the bucket: content}"""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{below}/")
        keys = [row["Key"] for page in pages for row in page.get("Contents", [])]
        return {key.removeprefix(f"{below}/"): self.get(key) for key in keys}

    def get(self, key: str) -> bytes:
        return self._client.get_object(Bucket=BUCKET, Key=key)["Body"].read()

    def remove(self, key: str) -> None:
        self._client.delete_object(Bucket=BUCKET, Key=key)


@contextmanager
def web_server(folder: Path) -> Iterator[int]:
    """The port of a server that shows a folder's files."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


class BreakingWire:
    """Passes connections on to a port, and cuts some of them after a random number of bytes."""

    def __init__(self, port: int, seed: int, share: float) -> None:
        self._to = port
        self._random = random.Random(seed)
        self._share = share
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._server.accept()
                is_cut = self._random.random() < self._share
                left = self._random.randrange(200, 40_000) if is_cut else None
                threading.Thread(target=self._pass, args=(client, left), daemon=True).start()

    def _pass(self, client: socket.socket, left: int | None) -> None:
        with client, socket.create_connection(("127.0.0.1", self._to)) as server, suppress(OSError):
            other = {client: server, server: client}
            while True:
                for source in select.select(list(other), [], [])[0]:
                    data = source.recv(4096)
                    if left is not None:
                        left -= len(data)
                    if left is not None and left < 0:
                        self.cuts += 1
                        return
                    if not data:
                        return
                    other[source].sendall(data)
