"""Manual pages, in the macros of man and of mdoc, become Markdown."""

from __future__ import annotations

from intelli.text.readers import read

MAN = r"""'\" t
.\" Made by hand
.de Mine
.B never shown
..
.ds Pu Pump
.TH "GATE" "8" "2023-04-05" "1.0"
.SH NAME
gate \- open \fBand\fP shut \(lqgates\(rq
.SH OPTIONS
.TP
.BR \-f ", " \-\-file =\fINAME\fR
Read \*(Pu \e \(co 5\(mu\[u20AC] \N'65'.
.IP \(bu 2
first
.IP \(bu 2
second
.PP
Then:
.nf
gate  \-v
.fi
.ie n shown
.el hidden
.if t \{\
also hidden
.\}
.TS
tab(;) allbox;
l l.
Day;T{
low
water
T}
.TE
"""
MDOC = """.Dd April 5, 2023
.Dt GATE 8
.Os
.Sh NAME
.Nm gate
.Nd open gates
.Sh SYNOPSIS
.Nm
.Op Fl v
.Op Fl f Ar file
.Ar name ...
.Sh DESCRIPTION
See
.Xr pump 8 ,
.Dq both words .
.Bl -tag -width Ds
.It Fl v
Be
.Em loud .
.El
.Bd -literal
gate -v
.Ed
.Fn open_gate "int n" "int m"
"""


def test_a_page_of_man() -> None:
    document = read(MAN.encode(), "application/octet-stream", "https://a.test/gate")
    assert (document.kind, document.title, document.published) == ("man", "GATE(8)", "2023-04-05")
    assert document.text == (
        "## NAME\n\ngate - open and shut “gates”\n\n## OPTIONS\n\n"
        "- **-f, --file=NAME**: Read Pump \\ © 5×€ A.\n- first\n- second\n\nThen:\n\n"
        "```\ngate  -v\n```\n\nshown\n\n| Day | low water |\n| --- | --- |"
    )


def test_a_page_of_mdoc() -> None:
    document = read(MDOC.encode(), "text/plain", "https://a.test/gate.8")
    assert document.title == "GATE(8)"
    assert document.text == (
        "## NAME\n\ngate — open gates\n\n## SYNOPSIS\n\ngate [-v] [-f file] name ...\n\n"
        "## DESCRIPTION\n\nSee pump(8), “both words”.\n\n- **-v**: Be loud.\n\n"
        "```\ngate -v\n```\n\nopen_gate(int n, int m)"
    )


def test_an_unfinished_page_ends() -> None:
    for cut in range(0, len(MAN), 7):
        assert read(MAN[:cut].encode(), "text/troff", "https://a.test/").error is None
