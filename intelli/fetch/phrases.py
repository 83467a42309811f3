"""The words by which pages that are not the page give themselves away, all in lower case.

Most begin a sentence or address the visitor: an article about such pages speaks of them in the
third person, or quotes them.
"""

from __future__ import annotations

import re


def any_of(*alternatives: str) -> re.Pattern[str]:
    """A pattern that any of the alternatives matches."""
    return re.compile("|".join(alternatives))


_LEAD = (
    r"^\W*(?:(?:please|we're sorry|sorry|oops|whoops|wait|hello|hi|bitte|veuillez|por favor|"
    r"prego|one more step|"
    r"(?:before|to|in order to|avant de|um|para) [^,.:!?]{1,60})[,.:!]*\s+){0,3}"
)


def orders(*alternatives: str) -> str:
    return f"{_LEAD}(?:{'|'.join(alternatives)})"


def names(*alternatives: str) -> re.Pattern[str]:
    """For titles, their parts and headings: nothing else may stand there."""
    return re.compile(rf"^\W*(?:{'|'.join(alternatives)})\W*$")


CHALLENGE_NAME = names(
    r"just a moment", r"nur einen moment", r"un (?:instant|momento)", r"um momento",
    r"een moment(?: geduld)?", r"请稍候", r"しばらくお待ちください", r"잠시만 기다리십시오",
    r"attention required!?", r"pardon our interruption", r"robot or human", r"oh noes",
    r"(?:checking|verifying) your browser.*", r"making sure you'?re not a bot",
    r"checking (?:that )?you(?:'re| are) (?:not a (?:ro)?bot|human)",
    r"access (?:denied|blocked)(?: - sucuri website firewall)?", r"ddos-guard",
    r"access to this page has been denied",
    r"(?:web ?site|web ?page|page|content|application|site|url) blocked",
    r"request (?:rejected|blocked)", r"web filter violation", r"blocked",
    r"security (?:check|verification)",
    r"(?:human|bot) verification", r"challenge validation", r"not acceptable", r"web page blocked",
    r"(?:verify(?:ing)?|confirm|prove)(?: that)? you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)",
    r"are you (?:a|not a) (?:human|robot|bot)(?: or a (?:human|robot))?",
    r"vercel security checkpoint",
    r"error: the request could not be satisfied", r"(?:429 )?too many requests",
    r"your access to this site has been limited",
    r"rate limited", r"(?:api )?(?:rate limit|quota)(?: (?:exceeded|reached))?", r"robot check",
    r"sicherheitsüberprüfung", r"安全验证|人机验证|滑动验证页面|访问验证",
    r"captcha(?: check| required)?",
    r"sitio bloqueado", r"(?:error )?(?:1006|1007|1008|1009|1010|1012|1015|1020)",
    r"one moment(?: please|, please)?", r"client challenge", r"establishing a secure connection",
    r"forbidden",
    r"(?:error )?403(?: ?[:–-]? ?(?:error|forbidden))?", r"automated access detected",
    r"request unsuccessful", r"451.*legal reasons",
    r"unavailable (?:for|due to) legal reasons", r"not available in your (?:region|country)",
)  # fmt: skip
CHALLENGE_OWN_NAME = any_of(
    r"used cloudflare to restrict access", r"^ddos-guard$", r"^client challenge$",
    r"^vercel security checkpoint$",
    r"^error: the request could not be satisfied$", r"sucuri website firewall",
)  # fmt: skip
"""Titles of one vendor, that stand on nothing else."""

CHALLENGE = any_of(
    orders(
        r"check(?:ing)? (?:if the site connection is secure|your browser before)",
        r"(?:verify|confirm|making sure|prove|check|let us know)(?:ing)? (?:that )?you(?:'re| are) "
        r"(?:a |no )?(?:not an? (?:ro)?bot|not a machine|human|robot|real)",
        r"confirm that you and not a robot", r"prove (?:that )?you(?:'re| are) no",
        r"(?:enable|turn on) js and disable any ad blocker", r"enable (?:javascript and )?cookies",
        r"enable javascript and cookies to continue", r"press (?:and|&) hold", r"activate and hold",
        r"(?:complete|pass) the (?:security check|captcha)", r"solve th(?:e|is) (?:puzzle|captcha)",
        r"performing security verification", r"(?:we'?re )?verifying your browser",
        r"request unsuccessful\. incapsula", r"request blocked", r"slow down\b",
        r"access denied: error code", r"enter the characters you see",
    ),
    r"needs to review the security of your connection",
    r"unusual traffic from your (?:computer|network|ip)",
    r"made us think (?:that )?you were a bot", r"bots use duckduckgo", r"made by a human",
    r"^ddos protection by", r"you have been blocked", r"has banned your (?:ip|access)",
    r"you are being rate limited", r"you have exceeded (?:a|the|your) (?:secondary )?rate",
    r"^\W*(?:your )?(?:api )?(?:rate limit|quota) (?:has been |was )?(?:exceeded|reached)\b",
    r"^\W*you(?: have|'ve)? (?:exceeded|reached|used up) your .{0,20}"
    r"(?:quota|rate limit|credits)\b",
    r"we have received many requests from your", r"button below to continue shopping",
    r"you don'?t have permission to access .{1,300}(?:on this server|reference)",
    r"you don'?t have permission to access this (?:resource|server|page)",
    r"(?:this|the) (?:web ?site|site|page) (?:has been|is|was) blocked by",
    r"request(?:ed url)? was rejected",
    r"(?:your|this) request (?:has been|was) blocked", r"really you sending the requests",
    r"(?:this|the) content is not available in your (?:region|country|location)",
    r"cannot grant you access at this time", r"in violation of your internet usage policy",
    r"access to this (?:site|page) has been (?:limited|denied)", r"whitelist your ip",
    r"error was generated by mod_security", r"we can'?t connect to the server for this app",
    r"uses a security service to protect", r"bloqueado por (?:requerimiento|orden)",
    r"(?:kein|keine) (?:roboter|bot)\b", r"ob (?:du|sie) ein mensch", r"pas un robot",
    r"doit vérifier la sécurité de votre connexion", r"no eres un robot|no es un robot",
    r"(?:usted es|eres) un ser humano",
    r"正在进行安全验证|完成.{0,6}验证|请进行验证|检查您的连接的安全",
    r"访问过于频繁|访问太频繁", r"人間であることを確認|ロボットではないこと|로봇이 아닙니다",
)  # fmt: skip
CHALLENGE_TALK = any_of(
    r"^(?!if |when )(?=.*\byou(?:r|'re|'ve)?\b)(?=.*\b(?:(?:ro)?bots?|human|real visitor|"
    r"automat\w+|"
    r"suspicious|blocked|verif\w+|"
    r"captcha|puzzle|too many requests|unusual|denied|forbidden)\b).*\b(?:you(?:'re|'ve| are|"
    r" have)|your (?:ip|request|"
    r"connection|browser|address|network|access|computer|device|activity))\b", r"^automated access",
    r"^too many requests",
    r"checking (?:your|the) connection",
    r"blocked (?:in accordance with|due to|because of) .{0,40}policy",
    r"required part of this site couldn't load",
)  # fmt: skip
"""Sentences to a visitor about who they are; enough where hardly anything else is said."""
RATE = any_of(r"too many requests", r"rate limit", r"slow down", r"访问过于频繁|访问太频繁")
REGION = any_of(r"your (?:region|country|location)", r"legal reasons", r"grant you access")
FILTER = any_of(
    r"usage policy", r"administrator", r"web filter", r"bloqueado por|autoridad", r"blocked by"
)

LOGIN_NAME = any_of(
    r"^\W*(?:please )?(?:log|sign)[ -]?(?:in|on|up)\b",
    r"\b(?:log|sign)[ -]?(?:in|on) (?:required|page)$",
    r"\blog[ -]?in$", r"\bsign[ -]?in$", r"^login\b", r"^single sign-?on$", r"^authenticate\b",
    r"^authentication required", r"\banmelden$", r"\b(?:se )?connexion$", r"iniciar sesi[oó]n",
    r"^acceder$", r"登录$", r"^ログイン", r"^로그인", r"^join \w+$",
)  # fmt: skip
LOGIN_PATH = re.compile(
    r"//(?:login|signin|sso|auth|accounts?|id)\.[^/]+/|"
    r"/(?:log-?in|sign-?in|authwall|account/auth|oauth2?/(?:v\d[.\d]*/)?authorize|sso|saml2?)\b"
)
LOGIN = any_of(
    orders(
        r"(?:log|sign) in(?: or (?:join|register|sign up|"
        r"create an account)(?: now)?)? to (?:continue|view|"
        r"access|see|read)",
        r"(?:log|sign) in\W*$", r"(?:please )?log ?in to (?:view|continue|see|access|read)",
        r"(?:melden sie sich|melde dich|loggen sie sich|logge dich) .{0,12}an?, um",
        r"connectez-vous pour (?:voir|lire|continuer|accéder)", r"inicia sesión para",
    ),
    r"(?:must|need to|have to) (?:be logged in|log in|login|sign in|"
    r"register)(?: or \w+)? (?:to|before) "
    r"(?:view|see|access|read|continue|us|proceed|you can)", r"you are not logged in",
    r"content is password[ -]protected", r"sent to your identity provider",
    r"nur für (?:angemeldete|registrierte)", r"vous devez être connecté|vous devez vous connecter",
    r"(?:debes|debe|necesitas|tienes que) (?:iniciar sesi|estar (?:registrad|conectad))",
    r"需要登录|请先?登录|登录后(?:才能|才可以|查看|可见|继续)",
    r"ログインが必要|ログインしてください",
)  # fmt: skip
MESSAGE_TO_PROVIDER = any_of(r"name=[\"']?samlrequest", r"name=[\"']?samlresponse")

CONSENT_TALK = any_of(
    r"cookie", r"consent", r"partner", r"personal data", r"\bads?\b", r"advert", r"privacy",
    r"tracking",
    r"device", r"gdpr", r"zustimm", r"einwillig", r"werbung", r"datenschutz", r"accord", r"données",
    r"consentimiento", r"socios", r"datos personales", r"toestemming", r"同意", r"consenso",
    r"accept all", r"reject all", r"withdraw",
)  # fmt: skip
CONSENT_BUTTON = names(
    r"more options", r"(?:i )?(?:accept|agree)(?: (?:all|and (?:close|continue)|cookies|to all))*",
    r"allow all(?: cookies)?",
    r"reject all", r"(?:alle )?(?:akzeptieren|zustimmen)(?: und weiter)?",
    r"alle(?:s)? akzeptieren",
    r"(?:tout )?accepter(?: et (?:fermer|continuer))?", r"continuer sans accepter", r"akkoord",
    r"aceptar(?: todo)?(?: y continuar)?", r"accetta(?: tutto)?", r"同意(?:する)?", r"got it",
    r"i agree", r"manage (?:options|settings|cookies)",
)  # fmt: skip
CONSENT = any_of(
    r"before you continue to", r"^cookie ?wall",
    orders(r"(?:you must |must )?(?:accept|agree to) (?:all )?cookies (?:to|in order)",
            r"you must accept cookies"),
)  # fmt: skip
ABOUT_CONSENT = any_of(
    r"(?:cookie|privacy) (?:policy|notice|statement)", r"datenschutzerklärung|gdpr|dsgvo"
)
AGE = any_of(
    r"legal drinking age", r"are you (?:over|at least) (?:18|21)", r"of legal age to (?:enter|view)"
)
