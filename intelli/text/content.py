"""Which tokens of a question carry its meaning: all but the words that every text is full of."""

from __future__ import annotations

from functools import cache

from intelli.text.ranking import tokens

_COMMON_WORDS = """
a about above after again all also am an and any are as at be because been before being below
between both but by can cannot could did do does doing done don down during each else ever few for
from further get give given gives got had has have having he her here him his how however i if in
into is it its itself just let like many may me might more most much must my need
no nor not of off on once one only or other our out over own please same she should show so some
such tell than that the their them then there these they thing this those through to too under
until up upon us use used using very was way we well were what when where whether which while who
whom whose why will with within without would yes yet you your best better good
things explain describe work works exist exists happen happens say says said

aber alle als also am an auch auf aus bei bin bis da damit dann das dass dein dem den der des dich
die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für gab gibt habe
haben hat hatte hatten ich ihr ihre im in ist ja kann können mehr mein mit muss nach nicht noch
nur ob oder ohne sein seine sich sie sind so soll über um und uns unter viel viele vom von vor war
waren warum was wann weil welche welcher welches wenn wer werden wie wieder wird wo wurde wurden zu
zum zur zwischen

au aux avec ce ces cette comment dans de des du elle en est et étaient était être ils je la le les
leur lui mais même ne nous on ont où par pas plus pour pourquoi quand que quel quelle quelles quels
qui quoi sa sans se ses son sont sur une un vous

al algunos como con cuál cuáles cuándo cuánto cuántos de del desde donde dónde el ella ellos en
entre era eran es esta este esto está están fue fueron ha han hasta hay la las lo los más muy no
para pero por porque qué quién quiénes se ser si sin sobre son su sus también tiene una uno un y

chi che come con cosa da dal della delle di dove e gli il in i lo nel nella non per perché più quale
quali quando quanto sono sua suo un una uno com da do dos foi foram mais nas no nos não o ou
para pelo pela por qual quais quando quem são seu sua uma um

без более бы был была были было быть в вам вас во вот все всех вы где да для до его ее если есть
еще же за и из или им их к как какая какие каким каких какое какой когда которая которые который
кто ли между мне можно мы на над не него нее нет ни них но о об он она они оно от по под почему
после при с сколько со так также там то тоже только у чего чем что чтобы это этого этой этот я

في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف لماذا هل كم أي أو و ثم
قد كان كانت يكون تكون هو هي هم لا لم لن أن إن إذا كل بعد قبل بين عند حتى كما لكن
"""
_COMMON_CJK = """
什么 怎么 怎样 如何 为什么 哪些 哪个 哪里 哪一 多少 是否 可以 我们 你们 他们 它们
这个 那个 这些 那些 一个 的是 是什 么时 时候 以及 或者 因为 所以 何时 谁是 是谁
の は が を に で と も です ます する した とは どの どう なぜ いつ どこ 何
"""


@cache
def _common() -> frozenset[str]:
    return frozenset(tokens(_COMMON_WORDS)) | frozenset(_COMMON_CJK.split())


def content_tokens(text: str) -> list[str]:
    """The tokens of `text`, as `ranking.tokens` has them, without the common words of English,
    German, French, Spanish, Italian, Portuguese, Russian, Arabic, Chinese and Japanese; all of
    them where nothing else is left."""
    found = tokens(text)
    return [token for token in found if token not in _common()] or found
