"""Which addresses a page may be fetched from: the rules, without any network."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Literal

from intelli.net.urls import normal_host

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Kind = Literal["public", "private", "forbidden"]

# Link-local space and the addresses clouds serve credentials from: no permit opens these.
_METADATA = tuple(
    ipaddress.ip_network(block)
    for block in (
        "169.254.0.0/16", "fe80::/10", "fd00:ec2::/32", "fd20:ce::/64",
        "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32",
    )
)  # fmt: skip
_METADATA_NAMES = frozenset({"metadata", "metadata.google.internal", "instance-data"})
_PERMITTED = tuple(
    ipaddress.ip_network(block)
    for block in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7",
    )
)  # fmt: skip
# Both carry an IPv4 address in their last 32 bits and lead to it: mapped, and NAT64 (RFC 6052).
_EMBEDDING = (ipaddress.ip_network("::ffff:0:0/96"), ipaddress.ip_network("64:ff9b::/96"))
_TUNNELS = tuple(
    ipaddress.ip_network(block)
    for block in ("2002::/16", "2001::/32", "64:ff9b:1::/48", "::/96", "fec0::/10")
)
_BAD_PORTS = frozenset((
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080,
))  # fmt: skip
_SPECIAL = tuple(
    ipaddress.ip_network(block) for block in ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20")
)
"""What the standard library takes for ordinary: protocol assignments, 6to4 relays, examples."""
_LOCAL_NAME = re.compile(r"localhost6?(?:\.localdomain6?)?|.*\.localhost")


def classify(address: Address) -> Kind:
    """`public`, `private` (loopback and private networks: a permit opens them) or `forbidden`
    (link-local and cloud metadata, carrier NAT, multicast, reserved, tunnels).

    After the IANA special-purpose address registries (RFC 6890)."""
    inner = _embedded(address)
    if inner is not None:
        return classify(inner)
    if _within(address, _METADATA + _SPECIAL):
        return "forbidden"
    if _within(address, _TUNNELS) and not address.is_loopback:
        return "forbidden"
    if _within(address, _PERMITTED):
        return "private"
    ordinary = address.is_global and not (address.is_multicast or address.is_reserved)
    return "public" if ordinary else "forbidden"


def is_allowed(addresses: Sequence[Address], *, allow_private: bool) -> bool:
    """Whether every one of `addresses` may be connected to; none at all is a no."""
    permitted = {"public", "private"} if allow_private else {"public"}
    return bool(addresses) and all(classify(address) in permitted for address in addresses)


def is_bad_port(port: int) -> bool:
    """Whether something else than the web listens on `port`, so that a request there could be
    read as a command (the port blocking of the Fetch standard)."""
    return port in _BAD_PORTS


def is_loopback(address: Address) -> bool:
    """Whether `address`, or the IPv4 address inside it, is this machine."""
    return (_embedded(address) or address).is_loopback


def is_local_name(host: str) -> bool:
    """Whether a host name means this machine without asking anybody (RFC 6761, 6.3)."""
    return _LOCAL_NAME.fullmatch(normal_host(host)) is not None


def is_metadata_name(host: str) -> bool:
    """Whether a host name is one under which clouds serve credentials."""
    return normal_host(host) in _METADATA_NAMES


def literal(host: str) -> Address | None:
    """The address a host spells, None for a name.

    IPv4 in every form browsers take: decimal, octal, hexadecimal, fewer than four parts (WHATWG
    URL, 3.5). Raises ValueError for a number that is no address."""
    name = normal_host(host.strip("[]"))
    if ":" in name:
        return ipaddress.IPv6Address(name)
    parts = name.split(".")
    if not _is_number(parts[-1]):
        return None
    if len(parts) > 4 or not all(_is_number(part) for part in parts):
        raise ValueError(f"no valid address: {host}")
    *leading, last = (_number(part) for part in parts)
    if any(part > 255 for part in leading) or last >= 256 ** (5 - len(parts)):
        raise ValueError(f"no valid address: {host}")
    value = last + sum(part << (8 * (3 - i)) for i, part in enumerate(leading))
    return ipaddress.IPv4Address(value)


def _is_number(part: str) -> bool:
    return re.fullmatch(r"\d+|0x[0-9a-f]*", part) is not None


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8) if len(part) > 1 and part.startswith("0") else int(part)


def _embedded(address: Address) -> ipaddress.IPv4Address | None:
    if isinstance(address, ipaddress.IPv4Address) or not _within(address, _EMBEDDING):
        return None
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def _within(address: Address, networks: Sequence[Network]) -> bool:
    return any(address.version == network.version and address in network for network in networks)
