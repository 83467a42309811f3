"""Who checks for robots, and how the pages of each give themselves away, all in lower case."""

from __future__ import annotations

import re
from collections.abc import Mapping

from intelli.fetch.phrases import any_of

MARKUP: Mapping[str, re.Pattern[str]] = {
    "Cloudflare": any_of(
        r"_cf_chl_", r"challenge-platform/h/./orchestrate", r"cf-browser-verification",
        r"cf-captcha-container", r"jschl[-_]", r"/cdn-cgi/l/chk_(?:jschl|captcha)",
    ),
    "AWS WAF": any_of(r"awswaf\.com/[^\"']*(?:challenge|captcha)", r"gokuprops",
    r"awswafintegration"),
    "Imperva": any_of(
        r"_incapsula_resource\?swudnsai", r"reeseskipexpiration", r"distil_(?:ident|captcha|r_)",
        r"onprotectioninitialized", r"_incapsula_resource\?swjiylwa.{0,400}_incapsula_resource",
    ),
    "HUMAN": any_of(r"px-captcha", r"_pxappid", r"_pxhostedcaptcha"),
    "DataDome": any_of(r"captcha-delivery\.com"),
    "DDoS-Guard": any_of(r"ddos-guard(?:\.net)?/(?:js-challenge|\.well-known)", r"data-ddg-"),
    "Anubis": any_of(
        r"id=[\"']?anubis", r"within\.website/x/cmd/anubis", r"within\.website/x/\s*xess",
    ),
    "DuckDuckGo": any_of(r"anomaly-modal"),
    "Akamai": any_of(r"sec-if-cpt", r"sec-bc-", r"[?&]bm-verify=", r"/_sec/cp_challenge"),
    "Kasada": any_of(r"kpsdk", r"ips\.js\?kp_uidz"),
    "Vercel": any_of(r"vercel/security/", r"_vercel/challenge"),
    "Sucuri": any_of(r"sucuri_cloudproxy_js"),
    "GeeTest": any_of(r"static\.geetest\.com"),
    "Alibaba": any_of(r"awsc/awsc\.js", r"acw_sc__v2"),
    "Yandex": any_of(r"checkboxcaptcha", r"/showcaptcha"),
    "Reblaze": any_of(r"rbzns\s*="),
    "Radware": any_of(r"perfdrive\.com", r"validate\.perfdrive"),
    "reCAPTCHA": any_of(r"id=[\"']captcha-form"),
}  # fmt: skip
"""Scripts and elements that stand on the check itself, hardly on the pages that it guards."""

WIDGET = any_of(r"g-recaptcha", r"h-captcha", r"cf-turnstile", r"geo\.captcha")
"""Puzzles that stand on checks and on contact forms alike."""

NAMED: Mapping[str, re.Pattern[str]] = {
    "Cloudflare": any_of(r"\bcloudflare\b", r"\bray id\b", r"/cdn-cgi/", r"cf-turnstile",
    r"cf-chl"),
    "CloudFront": any_of(r"\bcloudfront\b"),
    "Akamai": any_of(r"edgesuite", r"akamai", r"reference\W{0,3}#\d"),
    "Imperva": any_of(r"incapsula", r"imperva"),
    "DuckDuckGo": any_of(r"bots use duckduckgo"),
    "DDoS-Guard": any_of(r"ddos-guard"),
    "DataDome": any_of(r"datadome"),
    "Sucuri": any_of(r"sucuri"),
    "Vercel": any_of(r"\bvercel\b"),
    "Anubis": any_of(r"\banubis\b"),
    "Wordfence": any_of(r"wordfence"),
    "ModSecurity": any_of(r"mod_security"),
    "Fortinet": any_of(r"fortigu?ate|fortiguard"),
    "Zscaler": any_of(r"zscaler"),
    "hCaptcha": any_of(r"h-captcha", r"hcaptcha\.com"),
    "reCAPTCHA": any_of(r"g-recaptcha", r"recaptcha/api"),
}  # fmt: skip
"""Names that a page known to be a check may bear, to say whose it is."""

HEADERS: Mapping[str, tuple[str, str]] = {
    "Cloudflare": ("cf-mitigated", "challenge"),
    "AWS WAF": ("x-amzn-waf-action", ""),
    "Vercel": ("x-vercel-mitigated", "challenge"),
    "Kasada": ("x-kpsdk-ct", ""),
}
"""Header and value that only a check sends; any value where none is given."""


def by_headers(headers: Mapping[str, str], status: int) -> str:
    """Whose check the headers alone say the response is, "" when they do not."""
    for vendor, (name, value) in HEADERS.items():
        sent = headers.get(name)
        if sent is not None and (sent == value or not value):
            return vendor
    is_refused = status in (403, 405, 429)
    return "DataDome" if headers.get("x-datadome") == "protected" and is_refused else ""


def by_markup(machine: str) -> str:
    """Whose check the scripts and elements are, "" when there are none of any."""
    return next((vendor for vendor, marks in MARKUP.items() if marks.search(machine)), "")


def by_name(*texts: str) -> str:
    """Who is named in the texts of a page that is a check, "" when nobody is."""
    found = (vendor for vendor, name in NAMED.items() if any(name.search(text) for text in texts))
    return next(found, "")
