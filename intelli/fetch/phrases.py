"""The words by which pages that are not the page give themselves away, all in lower case."""

from __future__ import annotations

import re


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


MACHINE = re.compile(r"<script\b.*?(?:</script\s*>|\Z)|<[a-z/!][^<>]*>", re.S)
"""Tags and scripts, without the text of the page."""

CHALLENGE_MARKUP = _any(
    r"_cf_chl_", r"challenge-platform/h/", r"cf-browser-verification", r"cf-captcha-container",
    r"jschl[-_]", r"awswaf\.com/[^\"']*challenge", r"_incapsula_resource\?swudnsai", r"px-captcha",
    r"captcha-delivery\.com", r"ddos-guard", r"id=\"anubis", r"within\.website/x/cmd/anubis",
    r"anomaly-modal", r"distil_(?:ident|captcha|r_)", r"reeseskipexpiration", r"sec-if-cpt",
    r"kpsdk", r"_pxappid", r"vercel/security/|_vercel/challenge",
)  # fmt: skip
CAPTCHA_WIDGET = _any(r"g-recaptcha", r"h-captcha", r"cf-turnstile", r"geo\.captcha")

CHALLENGE_TITLE = _any(
    r"^just a moment", r"^nur einen moment", r"^un (?:instant|momento)", r"^um momento",
    r"^een moment", r"^attention required!", r"^pardon our interruption", r"^robot or human",
    r"^checking your browser", r"making sure you'?re not a bot", r"^access (?:denied|blocked)\b",
    r"^(?:web ?site|page) blocked", r"used cloudflare to restrict access", r"^ddos-guard",
    r"^security check", r"^(?:human|bot) verification", r"^verify(?:ing)? (?:that )?you",
    r"^请稍候",
    r"^are you a (?:human|robot)", r"^vercel security checkpoint", r"^blocked$",
)  # fmt: skip

CHALLENGE = _any(
    r"checking (?:if the site connection is secure|your browser)",
    r"(?:verify|confirm|making sure|prove|check)(?:ing)? (?:that )?you(?:['’]re| are) (?:a )?"
    r"(?:not a (?:ro)?bot|human)",
    r"(?:enable|turn on) js and disable any ad blocker",
    r"enable javascript and cookies to continue",
    r"(?:detected )?unusual traffic from your", r"made us think (?:that )?you were a bot",
    r"bots use duckduckgo", r"made by a human", r"press (?:and|&) hold", r"activate and hold",
    r"request unsuccessful\. incapsula", r"ddos protection by", r"you have been blocked",
    r"has banned your (?:ip|access)", r"you are being rate limited", r"please enable cookies\.",
    r"complete the security check", r"don['’]t have permission to access .{1,300}reference #",
    r"(?:web ?site|site|page) (?:has been|is|was) blocked by", r"button below to continue shopping",
    r"needs to review the security of your connection", r"rate limit (?:exceeded|reached)",
)  # fmt: skip

LOGIN_TITLE = _any(
    r"\b(?:log|sign)[ -]?(?:in|on|up)\b", r"\blogin\b", r"\bauthenti(?:cation|cate)\b",
    r"\banmelden\b", r"\b(?:se )?connexion\b", r"iniciar sesi[oó]n", r"登录", r"ログイン",
)  # fmt: skip
LOGIN_PATH = re.compile(r"/(?:log-?in|sign-?in|authwall|account/auth|oauth2?/authorize|sso)\b")
LOGIN = _any(
    r"before you continue to", r"(?:log|sign) in to (?:continue|view|access|see|read)",
    r"(?:must|need to|have to) (?:be logged in|log in|sign in)", r"^(?:log|sign) in$",
    r"(?:accept|agree to) (?:all )?cookies to (?:continue|access|proceed)",
    r"^consent\b",
)  # fmt: skip

HEADING = re.compile(r"^#{1,6} (.+)$", re.M)
NOT_FOUND = _any(
    r"^(?:error )?404\b", r"\b404(?: error)?$", r"\b404 ?[-–—:|·(]", r"\(404\)", r"page not found",
    r"not found$", r"^not found\b", r"(?:page|item|release|file|article|topic|product|it) "
    r"(?:you (?:requested|are looking for|were looking for) )?"
    r"(?:does not|doesn['’]t|no longer) exists?",
    r"could ?n[o'’]t (?:be found|find (?:that|this|the page|what you))", r"cannot be found",
    r"can['’]t find (?:that|this|the) page", r"no such (?:page|release|item|file)",
    r"seite (?:wurde )?nicht gefunden", r"page (?:introuvable|non trouvée)", r"找不到页面",
    r"p[áa]gina n(?:o|ão) (?:fue )?encontrada", r"页面不存在", r"ページが見つかりません",
    r"pagina niet gevonden", r"unable to (?:process|complete) your (?:last )?request",
)  # fmt: skip
PARKED = _any(
    r"\bhugedomains\b", r"[\w-]+\.[a-z]{2,10} is for sale",
    r"^\W*this domain (?:name )?(?:is|may be) (?:for sale|parked)", r"buy this domain",
    r"domain (?:is )?parked", r"^domain for sale",
)  # fmt: skip
PARKED_MARKUP = _any(r"data-adblockkey=", r"window\.park\s*=", r"parkingcrew", r"sedoparking")
MOVED = _any(
    r"(?:page|project|site|documentation|document|repository|wiki) has (?:been )?moved",
    r"^redirecting", r"if you are not (?:automatically )?redirected",
)  # fmt: skip

PAYWALL = _any(
    r"subscribe (?:now )?to (?:continue|keep|read|unlock)",
    r"(?:post|article|content|story|page|piece) is (?:only )?(?:for|available to) "
    r"(?:paid |paying )?(?:subscribers|members)", r"(?:become a|for) paid subscribers?\b",
    r"(?:exclusive|reserved|only) (?:to|for) (?:our )?(?:paid |paying )?(?:subscribers|members)",
    r"(?:register|sign up|create (?:a|an) (?:free )?account) to (?:continue|keep) reading",
    r"(?:to )?(?:continue|keep) reading,? (?:subscribe|start|with a)", r"unlock (?:this|the full)"
    r" (?:article|story|post)", r"réservée?s? aux abonnés", r"abonnez-vous pour (?:lire|continuer)",
    r"il vous reste .{1,12} de cet article", r"(?:nur|exklusiv) für abonnent",
    r"weiterlesen mit",
    r"(?:registrieren|anmelden|abonnieren),? (?:und|um) (?:weiter|den)",
    r"suscríbete para (?:seguir|leer|continuar)", r"solo para (?:suscriptores|abbonati)",
)  # fmt: skip
SUBSCRIPTION = re.compile(r"subscri|abonn|suscri|abbona|assinante")
NOT_FREE = re.compile(r"\"isaccessibleforfree\"\s*:\s*\"?false")

APP_ROOT = _any(
    r"<(?:div|main|section)[^<>]*\bid=[\"']?(?:root|app|__next|__nuxt|__docusaurus|___gatsby|svelte|"
    r"q-app|ice-container|react-root|mount|ember\d+|discourse-root|main-outlet)[\"'\s>]",
    r"<app-root", r"enable javascript", r"javascript (?:is )?(?:required|enabled|to run)",
    r"__initial_state__", r"window\.__nuxt__", r"self\.__next_f", r"ng-app", r"data-reactroot",
)  # fmt: skip

THIN = _any(
    r"maintenance", r"back soon", r"coming soon", r"under construction", r"^index of /",
    r"welcome to nginx", r"apache2? (?:\w+ )?default page", r"^it works!", r"iis windows server",
    r"no results? (?:were )?found", r"^(?:loading|chargement|laden|cargando|加载中)\b",
)  # fmt: skip
