"""Word tables for checking English text: numbers, units, negation, opposites, short forms."""

from __future__ import annotations

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
NUMBER_WORDS: dict[str, int] = {
    **{word: n for n, word in enumerate(_SMALL)},
    **{word: 10 * n for n, word in enumerate(_TENS, start=2)},
}
SCALE_WORDS: dict[str, float] = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "lakh": 1e5, "crore": 1e7,
}  # fmt: skip
SCALE_SIGNS: dict[str, float] = {
    "k": 1e3, "mn": 1e6, "mln": 1e6, "mm": 1e6, "m": 1e6, "bn": 1e9, "bln": 1e9, "b": 1e9,
    "tn": 1e12, "trn": 1e12,
}  # fmt: skip
COUNT_WORDS: dict[str, float] = {
    "twice": 2, "pair": 2, "couple": 2, "both": 2, "double": 2, "doubled": 2, "duo": 2,
    "twin": 2, "thrice": 3, "triple": 3, "tripled": 3, "trio": 3, "trilogy": 3, "quadruple": 4,
    "quartet": 4, "dozen": 12, "half": 0.5, "quarter": 0.25, "single": 1, "once": 1,
}  # fmt: skip
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
ORDINAL_WORDS: dict[str, int] = {word: n for n, word in enumerate(_ORDINALS, start=1)}
ORDINAL_CONTEXT = frozenset("quarter century half".split())

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
MONTHS: dict[str, int] = {
    **{name: n for n, name in enumerate(_MONTHS, start=1)},
    **{name[:3]: n for n, name in enumerate(_MONTHS, start=1)},
    "sept": 9,
}

_UNIT_TABLE: tuple[tuple[str, float, str], ...] = (
    ("time", 1e-9, "ns nanosecond"), ("time", 1e-6, "us μs microsecond"),
    ("time", 1e-3, "ms msec millisecond"), ("time", 1, "s sec second"),
    ("time", 60, "min minute"), ("time", 3600, "h hr hour"), ("time", 86400, "day"),
    ("time", 604800, "week wk"), ("months", 1, "month mo"), ("months", 12, "year yr"),
    ("months", 120, "decade"), ("months", 1200, "century centurie"),
    ("data", 1, "bit"), ("data", 8, "byte"),
    ("data", 8e3, "kb kilobyte"), ("data", 8e6, "mb megabyte"), ("data", 8e9, "gb gigabyte"),
    ("data", 8e12, "tb terabyte"), ("data", 8e15, "pb petabyte"),
    ("data", 8 * 2.0**10, "kib kibibyte"), ("data", 8 * 2.0**20, "mib mebibyte"),
    ("data", 8 * 2.0**30, "gib gibibyte"), ("data", 8 * 2.0**40, "tib tebibyte"),
    ("rate", 1e3, "kbps"), ("rate", 1e6, "mbps"), ("rate", 1e9, "gbps"),
    ("length", 1e-9, "nm nanometer nanometre"), ("length", 1e-6, "μm micrometer micron"),
    ("length", 1e-3, "mm millimeter millimetre"), ("length", 1e-2, "cm centimeter centimetre"),
    ("length", 1, "m meter metre"), ("length", 1e3, "km kilometer kilometre"),
    ("length", 0.0254, "inch inche"), ("length", 0.3048, "ft foot feet"),
    ("length", 0.9144, "yd yard"), ("length", 1609.344, "mi mile"),
    ("mass", 1e-3, "mg milligram"), ("mass", 1, "g gram"), ("mass", 1e3, "kg kilogram kilo"),
    ("mass", 1e6, "tonne"), ("mass", 28.349523125, "oz ounce"), ("mass", 453.59237, "lb pound"),
    ("volume", 1e-3, "ml millilitre milliliter"), ("volume", 1, "l litre liter"),
    ("gallon", 1, "gal gallon"), ("barrel", 1, "barrel bbl"), ("ton", 1, "ton"),
    ("frequency", 1, "hz hertz"), ("frequency", 1e3, "khz kilohertz"),
    ("frequency", 1e6, "mhz megahertz"), ("frequency", 1e9, "ghz gigahertz"),
    ("power", 1, "w watt"), ("power", 1e3, "kw kilowatt"), ("power", 1e6, "mw megawatt"),
    ("power", 1e9, "gw gigawatt"), ("energy", 1, "wh"), ("energy", 1e3, "kwh"),
    ("energy", 1e6, "mwh"), ("energy", 1e9, "gwh"), ("energy", 1e12, "twh"),
    ("percent", 1, "% percent pct"), ("points", 1, "bp bps"),
    ("celsius", 1, "°c celsius"), ("fahrenheit", 1, "°f fahrenheit"), ("degrees", 1, "degree °"),
    ("area", 1, "acre"), ("area", 2.4710538146717, "hectare ha"), ("pixels", 1, "px pixel"),
    ("pixels", 1e6, "megapixel mp"), ("usd", 1, "dollar usd $"), ("usd", 0.01, "cent"),
    ("eur", 1, "euro eur €"), ("gbp", 1, "gbp £"), ("jpy", 1, "yen jpy ¥"),
    ("inr", 1, "rupee inr ₹"), ("chf", 1, "chf"), ("fps", 1, "fps"), ("rpm", 1, "rpm"),
)  # fmt: skip
UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, factor) for dimension, factor, names in _UNIT_TABLE for name in names.split()
}
"""Unit name in lower case and singular -> (dimension, exact factor to its base unit)."""

HEDGES = frozenset(
    "about around approximately approx roughly nearly almost some circa ca ~ over more than under "
    "less up least most estimated close below above exceeding exceeds exceeded surpass".split()
)
NEGATIONS = frozenset("not no never none neither nor nobody nothing nowhere without cannot".split())
_CONTRACTIONS = {"won't": "will", "can't": "can", "shan't": "shall", "ain't": "is"}


def expand_negation(word: str) -> tuple[str, ...]:
    """`doesn't` -> (does, not); `cannot` -> (can, not); any other word as it is."""
    if word == "cannot":
        return ("can", "not")
    if word in _CONTRACTIONS:
        return (_CONTRACTIONS[word], "not")
    if word.endswith("n't") and len(word) > 3:
        return (word[:-3], "not")
    return (word,)


_OPPOSITES = (
    "increase decrease,increased decreased,increasing decreasing,rise fall,rises falls,rose fell,"
    "rising falling,grew shrank,growth decline,more less,more fewer,higher lower,highest lowest,"
    "high low,raise lower,raised lowered,up down,above below,over under,before after,"
    "earlier later,early late,first last,minimum maximum,min max,least most,enable disable,"
    "enabled disabled,enables disables,enabling disabling,allow deny,allow forbid,allow prevent,"
    "allows prevents,allowed forbidden,allowed prohibited,include exclude,includes excludes,"
    "included excluded,including excluding,required optional,mandatory optional,"
    "supported unsupported,synchronous asynchronous,sync async,public private,open closed,"
    "opened closed,open close,opens closes,start stop,starts stops,started stopped,begin end,"
    "begins ends,beginning end,began ended,true false,on off,always never,all none,with without,"
    "add remove,adds removes,added removed,input output,read write,left right,top bottom,"
    "north south,east west,northern southern,eastern western,inside outside,internal external,"
    "better worse,best worst,good bad,positive negative,win lose,won lost,wins loses,gain loss,"
    "profit loss,success failure,succeed fail,succeeds fails,succeeded failed,pass fail,"
    "passed failed,accept reject,accepts rejects,accepted rejected,approve reject,"
    "approved rejected,safe unsafe,secure insecure,valid invalid,mutable immutable,legal illegal,"
    "possible impossible,able unable,likely unlikely,common rare,easy difficult,easy hard,"
    "simple complex,fast slow,faster slower,fastest slowest,large small,larger smaller,"
    "largest smallest,big small,bigger smaller,long short,longer shorter,longest shortest,"
    "new old,newer older,newest oldest,young old,younger older,strong weak,stronger weaker,"
    "strengthen weaken,hot cold,warm cool,light dark,heavy light,rich poor,male female,"
    "men women,man woman,boy girl,father mother,son daughter,brother sister,husband wife,"
    "actor actress,buy sell,buys sells,bought sold,import export,inbound outbound,"
    "incoming outgoing,upper lower,front back,forward backward,ascending descending,"
    "local remote,static dynamic,explicit implicit,explicitly implicitly,"
    "synchronously asynchronously,temporary permanent,free paid,cheap expensive,"
    "expand contract,encrypt decrypt,encrypted unencrypted,success error,present absent,"
    "present past,alive dead,born died,arrive depart,arrived departed,majority minority,"
    "advantage disadvantage,agree disagree,agreed disagreed,appear disappear,appeared disappeared,"
    "like dislike,lead lag,even odd,former latter,superior inferior,many few,always rarely,"
    "often rarely,often seldom,partially fully,fully partly,well poorly,"
    "tightened loosened,improve worsen,improved worsened,optimistic pessimistic,"
    "complimentary paid,deprecated recommended,stable unstable,blocking non-blocking"
)
OPPOSITES: frozenset[tuple[str, str]] = frozenset(
    pair for line in _OPPOSITES.split(",") for a, b in [line.split()] for pair in ((a, b), (b, a))
)

_SAME = (
    "us|usa|united states|america|american",
    "uk|united kingdom|britain|british|great britain", "england|english",
    "uae|united arab emirates", "eu|european union|european|europe", "un|united nations",
    "ussr|soviet union|soviet", "tv|television", "dr|doctor", "mr|mister", "st|saint|street",
    "nyc|new york city|new york", "la|los angeles", "dc|washington", "wwii|ww2|world war ii",
    "wwi|ww1|world war i", "ii|2|second", "iii|3|third", "iv|4|fourth", "vi|6", "vii|7",
    "ceo|chief executive", "cfo|chief financial officer", "univ|university", "dept|department",
    "govt|government", "inc|incorporated", "corp|corporation", "co|company", "jr|junior",
    "sr|senior", "mt|mount|mountain", "ft|fort|feet", "prof|professor", "sen|senator",
    "gov|governor", "gen|general", "rep|representative", "js|javascript", "ts|typescript",
    "postgres|postgresql", "k8s|kubernetes", "db|database", "ai|artificial intelligence",
    "ml|machine learning", "pm|prime minister", "mp|member of parliament", "vp|vice president",
    "hq|headquarters", "id|identifier", "app|application", "repo|repository", "docs|documentation",
    "holland|netherlands|dutch", "netherlands|dutch", "germany|german|germans",
    "france|french|frenchman", "spain|spanish|spaniard", "wales|welsh", "ireland|irish",
    "scotland|scottish|scots", "denmark|danish|dane", "sweden|swedish|swede",
    "finland|finnish|finn", "poland|polish", "turkey|turkish|turk", "greece|greek",
    "switzerland|swiss", "portugal|portuguese", "china|chinese", "japan|japanese",
    "iceland|icelandic", "norway|norwegian", "philippines|filipino|philippine",
    "mexico|mexican", "israel|israeli", "iraq|iraqi", "christmas|xmas",
    "covid|covid-19|coronavirus", "billion|bn", "million|mn", "number|no", "versus|vs|v",
    "avenue|ave", "road|rd", "mount|mt", "sept|september", "bce|bc", "ce|ad",
    "yoy|year over year|year on year", "qoq|quarter over quarter", "ytd|year to date",
    "q1|first quarter", "q2|second quarter", "q3|third quarter", "q4|fourth quarter",
    "jew|jewish|judaism", "muslim|islam|islamic", "christian|christianity", "pope|papal",
    "al|alabama", "ak|alaska", "az|arizona", "ar|arkansas", "ca|california", "co|colorado",
    "ct|connecticut", "de|delaware", "fl|florida", "ga|georgia", "hi|hawaii", "id|idaho",
    "il|illinois", "in|indiana", "ia|iowa", "ks|kansas", "ky|kentucky", "la|louisiana",
    "me|maine", "md|maryland", "ma|massachusetts", "mi|michigan", "mn|minnesota",
    "ms|mississippi", "mo|missouri", "mt|montana", "ne|nebraska", "nv|nevada", "nh|new hampshire",
    "nj|new jersey", "nm|new mexico", "ny|new york", "nc|north carolina", "nd|north dakota",
    "oh|ohio", "ok|oklahoma", "or|oregon", "pa|pennsylvania", "ri|rhode island",
    "sc|south carolina", "sd|south dakota", "tn|tennessee", "tx|texas", "ut|utah", "vt|vermont",
    "va|virginia", "wa|washington", "wv|west virginia", "wi|wisconsin", "wy|wyoming",
)  # fmt: skip
SYNONYMS: dict[str, frozenset[str]] = {}
for _line in _SAME:
    _names = _line.split("|")
    for _name in _names:
        SYNONYMS[_name] = SYNONYMS.get(_name, frozenset()) | (frozenset(_names) - {_name})

STOP_WORDS = frozenset(
    "a an the and or but if of in on at to for from by with as is are was were be been being it "
    "its this that these those there here he she they we you i his her their our your my me him "
    "them us who whom which what when where why how not no so than then too very can could will "
    "would shall should may might must do does did done has have had having also such only just "
    "about into over under up down out off between through during before after above below again "
    "further once each other some any all both few more most own same per via while however".split()
)
