"""LaTeX becomes Markdown, formulas as they were typed."""

from __future__ import annotations

import pytest

from intelli.text.readers import read

SOURCE = r"""% a comment
\documentclass[12pt]{article}
\usepackage{amsmath}
\newcommand{\pump}[1]{the #1}
\title{Gate \emph{book}}
\begin{document}
\maketitle
\section{Water \label{sec:water}}
The level~\citep[p.~3]{ada2020} is $h_t = 5$\footnote{Mostly.} --- ``high'' by 5\,\% in
\href{https://gate.test/a\%b}{K\"oln}.% hidden
\begin{itemize}
  \item one
  \begin{enumerate}
    \item inner
  \end{enumerate}
\end{itemize}
\begin{lstlisting}[language=Python]
x = 1  % kept
\end{lstlisting}
\begin{equation}\label{eq:a}
e = mc^2
\end{equation}
\begin{tabular}{l|l}
\hline Day & Level \\
\multicolumn{1}{c}{1} & a \textbf{b} \\
\end{tabular}
\end{document}
hidden too
"""
TEXT = """## Water

The level is $h_t = 5$ (Mostly.) — “high” by 5 % in
[Köln](<https://gate.test/a%b>).

- one
  1. inner

```python
x = 1  % kept
```

$$
e = mc^2
$$

| Day | Level |
| --- | --- |
| 1 | a **b** |"""


def test_the_whole_of_it() -> None:
    document = read(SOURCE.encode(), "application/x-tex", "https://a.test/gate.tex")
    assert (document.kind, document.title) == ("latex", "Gate *book*")
    assert document.text == TEXT


@pytest.mark.parametrize(
    "source",
    [
        r"\section{",
        r"\begin{verbatim}",
        "$",
        r"\[",
        r"\item[",
        r"\begin{tabular}{l} a & b",
        "}{",
        "\\",
    ],
)
def test_what_is_never_closed_ends_with_the_text(source: str) -> None:
    assert read(source.encode(), "application/x-tex", "https://a.test/").kind == "latex"
