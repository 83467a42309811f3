"""Finds the posts of a thread (forum, questions and answers, comments) and sets each in order."""

from __future__ import annotations

import re
from dataclasses import dataclass

import lxml.etree
import lxml.html
from lxml.html import HtmlElement

from intelli.text.html_tree import HEADINGS, ancestors, class_names, drop_all, text_of
from intelli.text.html_weights import Weight

_POSTS = frozenset(
    "bbwrapper message-body postmsg post_message postcontent post_body cpost_contentwrap s-prose "
    "post-text cooked bbp-reply-content bbp-topic-content post-body js-comment-body "
    "comment-body post-content".split()
)
_REMARKS = frozenset(
    "comment-copy usertext-body commtext comment_text md-div comment-content".split()
)
_AUTHORS = re.compile(
    r"^(?:username|user-?name|author|message-name|bbp-author-name|postauthor|hnuser|u-author|"
    r"author-name|comment-user|cauthorpane_author|bigusername|poster|user-details|names)$"
)
_DATES = re.compile(
    r"^(?:relativetime|relativetime-clean|age|date|postdate|post-?date|bbp-reply-post-date|datetime|"
    r"post-time|timeago|live-timestamp|comment-date|posttime)$"
)
_SCORES = frozenset("js-vote-count vote-count-post vote-count".split())
_ACCEPTED = frozenset(
    "accepted-answer accepted js-accepted-answer is-solution message--solution best-answer".split()
)
_NAME_LIMIT = 60
SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Post:
    """`body` is what was written; `frame` is all that belongs to the post and to no other;
    `standing` is its votes and the mark of the accepted answer."""

    frame: HtmlElement
    body: HtmlElement
    is_remark: bool
    standing: tuple[str, ...] = ()


def posts_of(body: HtmlElement, weights: dict[HtmlElement, Weight]) -> list[Post]:
    """The posts of a page that is a thread; none when it is not."""
    found = [e for e in body.iterdescendants() if _is_body(e) and weights[e].total]
    outer = {a for e in found for a in e.iterancestors()}
    bodies = [element for element in found if element not in outer and not _is_signature(element)]
    kept = sum(weights[element].kept for element in bodies)
    size = sum(weights[element].total for element in bodies)
    if len(bodies) < 2 or (
        kept < SHARE * weights[body].kept and size < SHARE * weights[body].total
    ):
        return []
    shared = _shared_ancestors(bodies)
    parted = _shared_ancestors([body for body in bodies if not _is_remark(body)])
    posts = [_post(element, shared, parted) for element in bodies]
    return [post for post in posts if post.frame is not body]


def settle_posts(posts: list[Post]) -> None:
    """Reduce each post, in place, to author, date and what was written."""
    for post in posts:
        standing = " · ".join(post.standing)
        if post.frame is post.body:
            for part in _heading("", standing):
                post.body.addprevious(part)
            continue
        author, date = _credit(post)
        tail = post.frame.tail
        post.body.tail = None
        post.body.drop_tree()
        for child in list(post.frame):
            post.frame.remove(child)
        # What the frame was called says nothing of the post that is left of it.
        post.frame.attrib.clear()
        post.frame.text, post.frame.tail = None, tail
        if post.is_remark:
            _sign(post.body, author, date)
        else:
            post.frame.extend(_heading(author, " · ".join(filter(None, [date, standing]))))
        post.frame.append(post.body)


def drop_between(
    content: HtmlElement, posts: list[Post], weights: dict[HtmlElement, Weight]
) -> None:
    """Drop what stands between posts, except headings and likely prose."""
    frames = {post.frame for post in posts}
    path = {ancestor for frame in frames for ancestor in frame.iterancestors()}
    if content in frames:
        return
    between = [
        child
        for parent in content.iter()
        if parent in path
        for child in parent
        if child not in path and child not in frames and not _is_prose(child, weights)
    ]
    drop_all(between)


def _is_body(element: HtmlElement) -> bool:
    if element.get("itemprop") in {"text", "commentText"} and element.tag != "meta":
        return True
    if (element.get("id") or "").startswith("post_message_"):
        return True
    names = class_names(element)
    if "content" in names:
        return any("postbody" in class_names(near) for near in ancestors(element, 2))
    if "inner" in names and element.tag == "div":
        parent = element.getparent()
        return parent is not None and "post" in class_names(parent)
    return any(name in _POSTS or name in _REMARKS for name in names)


def _is_signature(element: HtmlElement) -> bool:
    return any("signature" in name for near in ancestors(element, 2) for name in class_names(near))


def _shared_ancestors(bodies: list[HtmlElement]) -> set[HtmlElement]:
    """Elements that hold two bodies or more."""
    seen: set[HtmlElement] = set()
    shared: set[HtmlElement] = set()
    for body in bodies:
        for ancestor in body.iterancestors():
            (shared if ancestor in seen else seen).add(ancestor)
    return shared


def _post(body: HtmlElement, shared: set[HtmlElement], parted: set[HtmlElement]) -> Post:
    is_remark = _is_remark(body)
    frame = _highest(body, shared)
    standing = () if is_remark or not parted else _standing(_highest(body, parted))
    return Post(frame=frame, body=body, is_remark=is_remark, standing=standing)


def _is_remark(body: HtmlElement) -> bool:
    return any(name in _REMARKS for name in class_names(body))


def _highest(body: HtmlElement, shared: set[HtmlElement]) -> HtmlElement:
    """The outermost element around a body that is not shared with another one."""
    highest = body
    for ancestor in body.iterancestors():
        if ancestor in shared:
            break
        highest = ancestor
    return highest


def _credit(post: Post) -> tuple[str, str]:
    """Author and date that stand in the frame but not in what was written."""
    apart = {*post.body.iter(), *post.body.iterancestors()}
    around = [element for element in post.frame.iter() if element not in apart]
    return _author(around), _date(around)


def _standing(unit: HtmlElement) -> tuple[str, ...]:
    """The votes of a post, where there are any, and whether it is the accepted answer; `unit` is
    all that belongs to it, remarks included."""
    counts = [_count(element) for element in unit.iter() if _is_score(element)]
    votes = [f"votes: {count}" for count in counts[:1] if count not in {"", "0"}]
    accepted = unit.get("itemprop") == "acceptedAnswer" or _ACCEPTED & set(class_names(unit))
    return (*votes, "accepted answer") if accepted else tuple(votes)


def _is_score(element: HtmlElement) -> bool:
    return element.get("itemprop") == "upvoteCount" or bool(_SCORES & set(class_names(element)))


def _count(element: HtmlElement) -> str:
    shown = text_of(element) or element.get("content") or element.get("data-value") or ""
    return shown if re.fullmatch(r"[-−+]?[\d,.]+k?", shown) else ""


def _heading(author: str, date: str) -> list[HtmlElement]:
    parts = []
    for tag, text in (("h4", author), ("p", date)):
        if text:
            part = lxml.html.Element(tag)
            part.text = text
            parts.append(part)
    return parts


def _sign(body: HtmlElement, author: str, date: str) -> None:
    if not author:
        return
    name = lxml.html.Element("strong")
    name.text = author
    name.tail = (f" ({date}): " if date else ": ") + (body.text or "").lstrip()
    body.text = None
    body.insert(0, name)


def _author(around: list[HtmlElement]) -> str:
    declared = [element for element in around if element.get("itemprop") == "author"]
    named = [e for e in around if any(_AUTHORS.match(name) for name in class_names(e))]
    for element in (*declared, *named):
        for path in (".//*[@itemprop='name']", ".//a", "."):
            for part in element.iterfind(path):
                if 0 < len(text := text_of(part)) <= _NAME_LIMIT:
                    return text
    return ""


def _date(around: list[HtmlElement]) -> str:
    for element in around:
        stamped = element.tag == "time" or element.get("itemprop") in {
            "dateCreated",
            "datePublished",
        }
        if stamped or any(_DATES.match(name) for name in class_names(element)):
            shown = re.sub(r"T?\s*\d\d:\d\d:\d\d.*$", "", text_of(element))
            if re.search(r"\b(?:19|20)\d\d\b", shown) and len(shown) <= _NAME_LIMIT:
                return shown
            exact = element.get("datetime") or element.get("content") or element.get("title") or ""
            if match := re.match(r"(?:19|20)\d\d-\d\d-\d\d", exact):
                return match[0]
    return ""


def _is_prose(element: HtmlElement, weights: dict[HtmlElement, Weight]) -> bool:
    if element.tag in HEADINGS[:3] or element.find(".//h1") is not None:
        return True
    weight = weights.get(element)
    if weight is None or not weight.total:
        return False
    return weight.total > 100 and weight.kept > 0.5 * weight.total > weight.linked
