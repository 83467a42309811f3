"""The words of pages that have nothing to read: missing, sold, closed, cut or unfilled; lower case.

As in `intelli.fetch.phrases`, most begin a sentence or address the visitor.
"""

from __future__ import annotations

import re

from intelli.fetch.phrases import any_of, names, orders

NOT_FOUND_NAME = any_of(
    r"^\W*(?:http )?(?:error(?: code)?:? )?404(?: error)?\W*$",
    r"^(?:error )?404\W+(?:page |file )?(?:not found|error|gone|oops|"
    r"this page could not be found).{0,8}$",
    r"(?<![a-z] )\b404(?: error)?$", r"^404 errors?$",
    r"\(404\)", r"^(?:error )?410 gone$",
    r"^(?:error )?50\d(?:\W+(?:internal server error|bad gateway|"
    r"service (?:temporarily )?unavailable|error))?$",
    r"^\W*(?:sorry, |oops!? ?)?(?:the |that |this )?(?:requested )?(?:page|file|document|url|"
    r"item|content)"
    r"(?: requested)? (?:was |is |could )?not (?:be )?found\W*$", r"^not found\W*$",
    r"^\W*(?:post|user|package|repository|release|article|product|profile|topic|thread|video|"
    r"site|group) not found\W*$", r"resource cannot be found", r"^content unavailable$",
    r"^(?:nothing|no page) (?:was )?found\W*$", r"^(?:page )?(?:does not|doesn't) exist$",
    r"^no such app$",
    r"^\W*seite (?:wurde )?nicht gefunden", r"^\W*page (?:introuvable|non trouvée)\W*$",
    r"找不到(?:页面|网页)",
    r"p[áa]gina n(?:o|ão) (?:fue )?encontrada", r"页面不存在", r"ページ.{0,4}見つかりません",
    r"^存在しない",
    r"pagina (?:niet gevonden|non trovata)", r"^\W*whoops\b",
)  # fmt: skip
NOT_FOUND = any_of(
    orders(
        r"(?:the |this |that |your )?(?:requested )?(?:page|item|release|file|article|topic|"
        r"product|question|url|"
        r"video|post|resource)(?: (?:that )?(?:you (?:have )?(?:requested|are looking for|"
        r"were looking for|asked for|tried)"
        r"|you're looking for)|\s/\S{1,200})? "
        r"(?:does not|doesn't|no longer|can'?t be found|cannot be found|could not be found|"
        r"couldn't be found|"
        r"was not found|is no longer available|has been (?:removed|deleted)|was removed|is gone)",
        r"we (?:could ?n[o']t|can'?t|cannot|can't seem to) find (?:that|this|the|what)",
        r"(?:it looks like )?nothing (?:was found|here)", r"there'?s nothing here",
        r"no such (?:page|item|release)",
        r"it (?:does not|doesn't|no longer) exists?",
        r"we(?:'re| are) unable to (?:process|complete) your", r"we cannot complete your request",
    ),
    r"the specified key does not exist", r"this account has been suspended",
    r"^error(?: code)?:? 404\W*$",
    r"there isn't a \w+ pages site here",
    r"(?:die|diese) (?:gewünschte |angeforderte |gesuchte )?seite "
    r"(?:existiert|wurde|konnte|ist) (?:leider )?nicht",
    r"la page (?:demandée|que vous (?:recherchez|cherchez)) n'existe",
    r"la página que (?:buscas|busca|solicit\w+) no (?:existe|está)",
    r"页面不存在|主题不存在|已被删除",
    r"お探しのページ.{0,12}ません", r"pagina (?:che cerchi )?non (?:esiste|è stata trovata)",
    r"a página que .{0,30} não (?:existe|foi)",
)  # fmt: skip
ABSENCE = any_of(
    r"\b(?:pages?|content|article|post|thread|topic|url|link|file|resource|document|product|"
    r"item|question|video|user|"
    r"package|repository|profile)\b.{0,80}(?:not (?:be )?(?:found|exist|available)|"
    r"n't (?:find|found|exist|available|the)|"
    r"no longer|\blost\b|missing|removed|deleted|unavailable|\bgone\b|invalid|specified)",
    r"(?:seite|artikel|dokument|beitrag|inhalt|thema)\b.{0,40}\bnicht (?:mehr )?"
    r"(?:verfügbar|gefunden|vorhanden|existier)", r"^\W*this [\w ]{1,20} is no longer available",
    r"there is no (?:page|document|article|file|topic|post)\b",
    r"(?:not (?:be )?find|n't find|cannot find|lost|invalid|not the|"
    r"n't the)\b.{0,40}\b(?:page|content|article|post|thread|topic|"
    r"link|file|document|product|profile)\b",
)  # fmt: skip
"""Something and that it is not there; enough where hardly anything else is said."""
EXPLANATION = any_of(
    r"\b(?:build|rename|imports?|modules?|code|"
    r"http|clients?|headers?|status|servers?|install\w*|class path|path|logs?|templates?|"
    r"handlers?|returns?|framework|"
    r"packages?|channels?|jar|interpreter|directory|dossier|disk)\b", r"^\W*fix(?:e[ds])?\b",
)  # fmt: skip
"""What those speak of who explain an error to whoever builds or mends something."""
NOT_FOUND_TALK = any_of(
    r"\b(?:search|helps?|home ?page|moved|renamed|deleted|removed|contact|sorry|oops|address|url|"
    r"link|broken|typo|go back|withdrawn|"
    r"start over|try|help)\b", r"startseite|accueil|inicio|首页|トップ",
)  # fmt: skip
PARKED = any_of(
    r"\bhugedomains\b", r"^[\w-]+(?:\.[a-z]{2,10})+ (?:is|may be) for sale",
    r"this web ?site is for sale",
    r"buy this domain",
    r"^\W*(?:this|the) domain (?:name )?(?:is|may be|has) (?:for sale|parked|expired|"
    r"registered, but)",
    r"^domain (?:is )?(?:parked|for sale)",
    r"^\W*(?:the |this )?domain(?: name)? .{0,40}(?:is|has|may be) .{0,20}(?:for sale|parked|"
    r"expired|available)", r"^\W*get this domain", r"^future home of",
)  # fmt: skip
PARKED_MARKUP = any_of(
    r"data-adblockkey=",
    r"window\.park\s*=",
    r"parkingcrew",
    r"sedoparking",
    r"location\.href\s*=\s*[\"']/lander",
)
MOVED = any_of(
    r"^\W*(?:the |this |our )?(?:page|project|site|documentation|document|repository|wiki|"
    r"docs) (?:has|have) (?:been )?moved",
    r"^redirecting", r"^if you are not (?:automatically )?redirected",
)  # fmt: skip

PAYWALL_ORDER = any_of(
    orders(
        r"subscribe (?:now )?to (?:continue|keep|read|unlock)",
        r"(?:to )?(?:continue|keep) reading,? "
        r"(?:subscribe|start|with a)", r"(?:register|sign up|create (?:a|an) (?:free )?account) to "
        r"(?:continue|keep|read)", r"unlock (?:this|the full) (?:article|story|post|piece)",
        r"choose a plan to",
        r"(?:become a|for) paid subscribers?\b", r"subscribe to .{1,60} to keep reading",
        r"abonnez-vous pour (?:lire|continuer)", r"weiterlesen mit",
        r"jetzt abo(?:nnieren| abschließen) und",
        r"(?:registrieren|anmelden|abonnieren),? (?:und|um) (?:weiter|den)",
        r"suscríbete para (?:seguir|leer|continuar)", r"abbonati per (?:leggere|continuare)",
    ),
    r"this (?:post|article|content|story|page|piece) is (?:only )?(?:for|available to|"
    r"reserved for) "
    r"(?:paid |paying |our )?(?:subscribers|members)", r"il vous reste .{1,12} de cet article",
    r"订阅后.{0,6}阅读|付费后.{0,6}阅读",
)  # fmt: skip
"""What the box under a teaser asks for."""
PAYWALL = any_of(
    r"(?:post|article|content|story|page|piece) is (?:only )?(?:for|available to|reserved for) "
    r"(?:paid |paying |our )?(?:subscribers|members)", r"for (?:paid )?subscribers only",
    r"(?:exclusive|reserved|only) (?:to|for) (?:our )?(?:paid |paying )?(?:subscribers|members)",
    r"you(?:'ve| have) read .{1,12} free (?:articles|stories)",
    r"you(?:'ve| have) (?:reached|used) (?:your|all|the) .{0,30}free (?:articles|stories)",
    r"^member-only story",
    r"réservée?s? (?:aux|à nos) abonnés", r"(?:nur|exklusiv) für abonnent", r"bereits abonnent",
    r"(?:solo|exclusivo) para (?:suscriptores|abbonati)", r"riservato agli abbonati", r"会員限定",
)  # fmt: skip
"""What it says; on the page itself only, as the furniture of a site may speak of others."""
SUBSCRIPTION = re.compile(r"subscri|abonn|suscri|abbona|assinante")
NOT_FREE = re.compile(r"\"isaccessibleforfree\"\s*:\s*\"?false")

SHELLS = {
    "Next.js": any_of(r"id=[\"']?__next[\"'\s>]", r"self\.__next_f"),
    "Nuxt": any_of(r"id=[\"']?__nuxt[\"'\s>]", r"window\.__nuxt__"),
    "Angular": any_of(r"<app-root", r"\bng-app\b", r"ng-version"),
    "Gatsby": any_of(r"id=[\"']?___gatsby[\"'\s>]"),
    "Docusaurus": any_of(r"id=[\"']?__docusaurus[\"'\s>]"),
    "Flutter": any_of(r"flutter\.js", r"_flutter\.loader", r"flutter_bootstrap"),
    "Svelte": any_of(r"id=[\"']?svelte[\"'\s>]", r"__sveltekit_"),
    "Ember": any_of(r"id=[\"']?ember", r"/config/environment"),
    "Blazor": any_of(r"blazor\.\w+\.js"),
    "Swagger UI": any_of(r"id=[\"']?swagger-ui[\"'\s>]"),
    "Redoc": any_of(r"<redoc\b"),
    "docsify": any_of(r"\$docsify"),
    "Discourse": any_of(r"id=[\"']?(?:discourse-root|main-outlet)[\"'\s>]"),
    "": any_of(
        r"<(?:div|main|section)[^<>]*\bid=[\"']?(?:root|app|q-app|ice-container|react-root|"
        r"mount)[\"'\s>]",
        r"__initial_state__", r"data-reactroot", r"enable javascript",
        r"javascript (?:is )?(?:required|enabled|to run)",
    ),
}  # fmt: skip
"""Frames that scripts fill, and the markup of each."""

OWN_SCRIPT = re.compile(r"<script[^<>]*\bsrc=")
SCRIPT_ORDER = any_of(
    orders(r"(?:enable|turn on|activate|allow) javascript",
    r"(?:aktivieren|activer|activez) (?:sie )?javascript",
            r"this (?:page|site|app|application|website) (?:requires|needs) javascript",
            r"habilita javascript"),
    r"javascript is (?:not available|disabled|required)", r"^without javascript",
    r"javascript (?:must|needs to|has to) be",
    r"(?:need|have) to (?:enable|turn on|activate) javascript",
    r"请启用javascript|启用 ?javascript",
)  # fmt: skip
THIN_NAME = names(
    r"(?:(?:web ?)?site )?(?:(?:down|closed) for |under )?(?:scheduled )?maintenance(?: mode)?",
    r"index of /.{0,80}",
    r"wartungsarbeiten", r"(?:we'll be |will be )?back soon",
    r"(?:coming|we're launching|launching|opening) soon",
    r"under construction", r"(?:web ?)?site offline", r".{0,30}default page",
    r"test page for .{1,40}", r"welcome to nginx", r"apache2? (?:\w+ )?default page(?:: it works)?",
    r"it works", r"iis windows server",
    r"search results(?: for .*)?", r"(?:loading|chargement|laden|cargando|加载中)",
)  # fmt: skip
THIN = any_of(
    orders(
        r"we(?:'ll| will) be back",
        r"(?:the|this|our) (?:web ?)?site is (?:currently )?(?:under|down for|undergoing)",
        r"(?:the|our|this) (?:new )?(?:web)?site is (?:on its way|coming soon)",
        r"no results? (?:were |was )?found",
        r"your search did not match", r"if you see this page, the nginx",
        r"this is the default welcome page",
        r"[\w ]{1,40} is (?:temporarily |currently )?(?:down for|under) maintenance",
        r"the site is (?:currently )?(?:offline|not available|unavailable|closed)",
        r"we're launching soon",
        r"this page is (?:generated by plesk|used to test)", r"try again later\W*$",
        r"back (?:at|on|in) .{1,20}$", r"(?:it works|coming soon|under construction)\W*$",
        r"the inconvenience but we are performing", r"wir sind bald wieder", r"loading\W*$",
    ),
)  # fmt: skip
