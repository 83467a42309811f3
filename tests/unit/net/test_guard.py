"""The address rules alone: no connection is ever opened here."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from intelli.net import guard

PUBLIC = ["93.184.215.14", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
PRIVATE = [
    "127.0.0.1", "127.8.9.1", "10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1",
    "::1", "fd12:3456::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1",
]  # fmt: skip
FORBIDDEN = [
    "169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254", "fd20:ce::254",
    "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1", "100.100.100.200",
    "100.64.0.1", "0.0.0.0", "0.1.2.3", "::", "224.0.0.1", "ff02::1", "255.255.255.255",
    "240.0.0.1", "192.0.2.1", "198.18.0.1", "203.0.113.9", "2001:db8::1", "2002:7f00:1::1",
    "2001:0:4136:e378:8000:63bf:80ff:fffe", "::127.0.0.1", "fec0::1", "192.0.0.192",
    "168.63.129.16", "::ffff:0.0.0.0", "192.0.0.8", "192.88.99.1", "3fff::1", "239.1.1.1",
    "::ffff:0:7f00:1", "5f00::1", "100::1", "2001:20::1", "4000::1", "2002:a00:1::",
    "64:ff9b::e000:1",
]  # fmt: skip


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_are_always_allowed(text: str) -> None:
    assert guard.is_allowed([ip_address(text)], allow_private=False)
    assert guard.is_allowed([ip_address(text)], allow_private=True)


@pytest.mark.parametrize("text", PRIVATE)
def test_private_addresses_need_the_permit(text: str) -> None:
    assert not guard.is_allowed([ip_address(text)], allow_private=False)
    assert guard.is_allowed([ip_address(text)], allow_private=True)


@pytest.mark.parametrize("text", FORBIDDEN)
def test_no_permit_opens_the_rest(text: str) -> None:
    assert not guard.is_allowed([ip_address(text)], allow_private=False)
    assert not guard.is_allowed([ip_address(text)], allow_private=True)


def test_one_bad_address_spoils_a_host() -> None:
    mixed = [ip_address("93.184.215.14"), ip_address("10.0.0.1")]
    assert not guard.is_allowed(mixed, allow_private=False)
    assert not guard.is_allowed([], allow_private=True)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("2130706433", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("0xa9fea9fe", "169.254.169.254"),
        ("１６９.254.169.254", "169.254.169.254"),
        ("[::1]", "::1"),
        ("0:0:0:0:0:0:0:1", "::1"),
    ],
)
def test_every_spelling_of_an_address_is_seen_through(host: str, address: str) -> None:
    assert guard.literal(host) == ip_address(address)


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1.example.com", "1password.com", "a.b1"])
def test_names_are_not_taken_for_addresses(host: str) -> None:
    assert guard.literal(host) is None


@pytest.mark.parametrize(
    "host", ["256.1.1.1", "1.2.3.4.5", "0x1ffffffff", "08.1.1.1", "a.1", "::g"]
)
def test_numbers_that_are_no_address_are_refused(host: str) -> None:
    with pytest.raises(ValueError):
        guard.literal(host)


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "a.localhost", "localhost.localdomain"]
)
def test_names_of_this_machine_are_known(host: str) -> None:
    assert guard.is_local_name(host)


@pytest.mark.parametrize("host", ["localhost.example.com", "mylocalhost", "local", "example.com"])
def test_names_that_only_look_local_are_not(host: str) -> None:
    assert not guard.is_local_name(host)


@pytest.mark.parametrize("port", [1, 9, 22, 25, 110, 143, 587, 6000, 6667, 10080])
def test_ports_of_other_protocols_are_known(port: int) -> None:
    assert guard.is_bad_port(port)


@pytest.mark.parametrize("port", [80, 443, 3000, 5000, 8000, 8080, 8443, 9000])
def test_ports_of_the_web_are_open(port: int) -> None:
    assert not guard.is_bad_port(port)
