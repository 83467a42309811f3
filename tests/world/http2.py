"""A server that speaks HTTP/2 over TLS, and what it saw: connections, streams, bytes."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import h2.config
import h2.connection
import h2.events
import h2.exceptions

ENDLESS = b"and so on and so forth\n" * 400


@dataclass(slots=True)
class Seen:
    """What the server saw, and where it listens."""

    port: int = 0
    connections: int = 0
    paths: list[str] = field(default_factory=list)
    sent: int = 0


class _Peer:
    """One connection."""

    def __init__(
        self,
        seen: Seen,
        bodies: Mapping[str, bytes | None],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._seen = seen
        self._bodies = bodies
        self._reader = reader
        self._writer = writer
        self._state = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=False, header_encoding="utf-8")
        )
        self._left: dict[int, bytes | None] = {}

    async def serve(self) -> None:
        self._state.initiate_connection()
        await self._flush()
        while data := await self._reader.read(65_536):
            for event in self._state.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    self._answer(event)
                elif isinstance(event, h2.events.StreamReset):
                    self._left.pop(event.stream_id, None)
            await self._send()

    def _answer(self, event: h2.events.RequestReceived) -> None:
        path = dict(event.headers or ())[":path"]
        self._seen.paths.append(path)
        status = "200" if path in self._bodies else "404"
        headers = [(":status", status), ("content-type", "text/plain; charset=utf-8")]
        self._state.send_headers(event.stream_id, headers)
        self._left[event.stream_id] = self._bodies.get(path, b"")

    async def _send(self) -> None:
        """As much of every body as the client's windows allow; a body that is None is endless."""
        for stream_id in list(self._left):
            while (body := self._left.get(stream_id, b"")) != b"":
                room = min(
                    self._state.local_flow_control_window(stream_id),
                    self._state.max_outbound_frame_size,
                )
                if room <= 0:
                    break
                piece = (ENDLESS if body is None else body)[:room]
                self._state.send_data(stream_id, piece)
                self._seen.sent += len(piece)
                self._left[stream_id] = None if body is None else body[len(piece) :]
                await self._flush()
            if self._left.get(stream_id, None) == b"":
                self._state.end_stream(stream_id)
                del self._left[stream_id]
        await self._flush()

    async def _flush(self) -> None:
        self._writer.write(self._state.data_to_send())
        await self._writer.drain()


@asynccontextmanager
async def serve_http2(certificate: Path, bodies: Mapping[str, bytes | None]) -> AsyncIterator[Seen]:
    """Serves `bodies` by path (None: without end) to clients that offer HTTP/2."""
    seen = Seen()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.connections += 1
        try:
            await _Peer(seen, bodies, reader, writer).serve()
        except (OSError, h2.exceptions.ProtocolError):
            pass  # clients leave at any point
        finally:
            writer.transport.abort()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    context.set_alpn_protocols(["h2", "http/1.1"])
    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        server.close()
