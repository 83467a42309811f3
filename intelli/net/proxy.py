"""Proxies: which one a request goes through, and the tunnel that is asked of it."""

from __future__ import annotations

import base64
import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from intelli.errors import FetchError
from intelli.net import guard, urls
from intelli.records import record

if TYPE_CHECKING:
    import httpcore2

MAX_HEAD = 16_384
"""Bytes of a proxy's answer."""
_HERE = "localhost,127.0.0.1,::1"
_HINT = "set `network.proxy` to http://HOST:PORT, or to `none` to use no proxy"


@record
class Proxy:
    """A proxy that speaks HTTP; `credentials` is the value of `Proxy-Authorization`, never shown.

    `problem` says why an address that was given cannot be used."""

    host: str = ""
    port: int = 0
    credentials: str = ""
    problem: str = ""

    def usable(self) -> Proxy:
        """Itself. Raises FetchError `proxy` where it cannot be used."""
        if self.problem:
            raise FetchError(self.problem, code="proxy", hint=_HINT)
        return self


@record
class Proxies:
    """The proxy of each scheme, and the hosts that are spoken to without one."""

    http: Proxy | None = None
    https: Proxy | None = None
    bypass: tuple[str, ...] = ()

    def of(self, scheme: str, host: str, port: int) -> Proxy | None:
        """The proxy for a host, None for a direct connection: this machine is never asked for
        through a proxy. Raises FetchError `proxy`."""
        proxy = self.https if scheme == "https" else self.http
        if proxy is None or is_this_machine(host) or self._is_bypassed(host, port):
            return None
        return proxy.usable()

    def _is_bypassed(self, host: str, port: int) -> bool:
        return any(_covers(entry, host.lower(), port) for entry in self.bypass)


DIRECT = Proxies()


def choose(setting: str, environ: Mapping[str, str]) -> Proxies:
    """What `network.proxy` means: `none`, `environment` (the usual variables, lower case first)
    or the address of a proxy for everything that is not exempt."""
    bypass = tuple(_variable(environ, "no_proxy").replace(",", " ").lower().split())
    if setting == "none":
        return DIRECT
    if setting != "environment":
        proxy = parse(setting, "`network.proxy`")
        if proxy.credentials:
            problem = "`network.proxy` may not hold a password: set HTTPS_PROXY in the environment"
            proxy = Proxy(problem=problem)
        return Proxies(http=proxy, https=proxy, bypass=bypass)
    found = {}
    for scheme in ("http", "https"):
        for name in (f"{scheme}_proxy", "all_proxy"):
            if value := _variable(environ, name):
                found[scheme] = parse(value, name.upper())
                break
    return Proxies(http=found.get("http"), https=found.get("https"), bypass=bypass)


def exported(setting: str, environ: Mapping[str, str]) -> dict[str, str | None]:
    """Variables with which a library that reads the environment goes the same way as we do; None
    for one that has to go. This machine is always exempt."""
    changes: dict[str, str | None] = {}
    if setting != "environment":
        names = [f"{scheme}_proxy" for scheme in ("http", "https", "all")]
        value = None if setting == "none" else setting
        changes = {name: None for low in names for name in (low, low.upper())}
        changes |= {"HTTP_PROXY": value, "HTTPS_PROXY": value}
    exempt = [entry for entry in (_variable(environ, "no_proxy"), _HERE) if entry]
    return {**changes, "no_proxy": None, "NO_PROXY": ",".join(exempt)}


def parse(address: str, origin: str) -> Proxy:
    """The proxy at `address` (`http://user:password@host:port`, the scheme may be missing); what
    cannot be one has a `problem` that names `origin` and repeats no password."""
    address = address if "://" in address else f"http://{address}"
    try:
        parts = urlsplit(address)
        host, port = urls.normal_host(parts.hostname or ""), parts.port or 80
    except ValueError:
        return Proxy(problem=f"{origin} is no address of a proxy")
    if parts.scheme != "http":
        return Proxy(problem=f"{origin}: proxies of kind {parts.scheme[:20]}:// are not supported")
    if not host or not host.isprintable():
        return Proxy(problem=f"{origin} is no address of a proxy")
    credentials = ""
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        credentials = "Basic " + base64.b64encode(pair.encode()).decode("ascii")
    return Proxy(host=host, port=port, credentials=credentials)


async def open_tunnel(stream: httpcore2.AsyncNetworkStream, proxy: Proxy, target: str) -> None:
    """Ask the proxy at the other end of `stream` for a connection to `target` (`host:port`).

    Raises FetchError `proxy`, with what the proxy answered instead."""
    lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
    if proxy.credentials:
        lines.append(f"Proxy-Authorization: {proxy.credentials}")
    await stream.write("\r\n".join([*lines, "", ""]).encode("ascii"))
    head = await _head(stream, proxy)
    status = head.partition(b"\r\n")[0].split(b" ")
    if len(status) < 2 or not status[0].startswith(b"HTTP/1.") or not status[1].isdigit():
        raise refused(proxy, "did not answer like a proxy")
    if not 200 <= int(status[1][:3]) < 300:
        code = status[1][:3].decode()
        asks = " (it asks for a password)" if code == "407" else ""
        raise refused(proxy, f"refused a connection to {target} with {code}{asks}")


async def _head(stream: httpcore2.AsyncNetworkStream, proxy: Proxy) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head:
        piece = await stream.read(4096)
        head += piece
        if not piece or len(head) > MAX_HEAD:
            raise refused(proxy, "did not answer like a proxy")
    return head


def refused(proxy: Proxy, what: str) -> FetchError:
    """The error of a proxy that does not do its work; `what` goes on from its name."""
    message = f"the proxy {proxy.host}:{proxy.port} {what}"
    return FetchError(message, code="proxy", hint=_HINT, retryable=True)


def is_this_machine(host: str) -> bool:
    """Whether a host is loopback by its name or its number, without asking anybody."""
    try:
        address = guard.literal(host)
    except ValueError:
        return False
    return guard.is_loopback(address) if address else guard.is_local_name(host)


def _covers(entry: str, host: str, port: int) -> bool:
    """Whether an entry of NO_PROXY (`*`, a domain, a host with its port, a network) is about it."""
    if entry == "*":
        return True
    name, colon, number = entry.rpartition(":")
    if colon and number.isdigit() and ":" not in name:
        return int(number) == port and _covers(name, host, port)
    try:
        address = guard.literal(host)
        if address is not None:
            return address in ipaddress.ip_network(entry.strip("[]"), strict=False)
    except ValueError:
        return False
    domain = entry.removeprefix("*").strip(".")
    return bool(domain) and (host == domain or host.endswith(f".{domain}"))


def _variable(environ: Mapping[str, str], name: str) -> str:
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def addressed(address: str, port: int) -> str:
    """`host:port` as CONNECT wants it."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
