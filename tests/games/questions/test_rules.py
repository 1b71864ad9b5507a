"""Parsing a file of the bank: each problem is reported with its line."""

from api.games.questions.rules import reading as reading_rules
from api.games.questions.rules.reading import COLUMNS, BankFile
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.questions.sheets import bank_file


def test_a_file_with_other_columns_is_refused_at_its_first_line() -> None:
    for content in (b"", b"slug;kind;club\n", b"slug,kind\nx,y\n"):
        (refusal,) = reading_rules.read_files([BankFile("laws.csv", content)]).refusals

        assert refusal.line == 1
        assert refusal.sentence == f"The first line must be {','.join(COLUMNS)}."


def test_a_row_with_cells_too_many_or_too_few_is_refused() -> None:
    content = bank_file({}).content + b"a,b,c\n\n" + b"x," * 12 + b"x\n"

    refusals = reading_rules.read_files([BankFile("laws.csv", content)]).refusals

    assert [(refusal.line, refusal.sentence) for refusal in refusals] == [
        (3, "The row has 3 cells; it must have 12."),
        (5, "The row has 13 cells; it must have 12."),
    ]


def test_a_file_that_is_not_utf_8_is_refused_at_the_line_of_the_first_bad_byte() -> None:
    content = bank_file({}).content + "Málaga".encode("latin-1")

    (refusal,) = reading_rules.read_files([BankFile("laws.csv", content)]).refusals

    assert (refusal.line, refusal.sentence) == (3, "The file must be UTF-8 text.")


def test_a_quote_that_is_never_closed_is_refused_where_it_begins() -> None:
    content = bank_file({}).content + b'"a,b\nc,d\n'

    reading = reading_rules.read_files([BankFile("laws.csv", content)])

    assert [refusal.line for refusal in reading.refusals] == [3]
    assert reading.refusals[0].sentence.startswith("The row is not well-formed CSV: ")


def test_a_line_is_counted_where_its_row_begins() -> None:
    file = bank_file({"question": "One\ntwo\nthree?"}, {"slug": "Bad"})

    refusals = reading_rules.read_files([file]).refusals

    assert [refusal.line for refusal in refusals] == [2, 5]


def test_files_as_spreadsheets_write_them_are_read() -> None:
    plain = bank_file({"question": " How wide is a goal? "})
    windows = b"\xef\xbb\xbf" + plain.content.replace(b"\n", b"\r\n")

    reading = reading_rules.read_files([BankFile("laws.csv", windows)])

    assert reading.refusals == ()
    assert reading.entries[0].question == "How wide is a goal?"


@given(content=st.one_of(st.binary(), st.text().map(str.encode)), has_header=st.booleans())
@settings(max_examples=300, deadline=None)
def test_no_content_of_a_file_is_too_strange_to_be_answered(
    content: bytes, has_header: bool
) -> None:
    header = f"{','.join(COLUMNS)}\n".encode() if has_header else b""

    reading = reading_rules.read_files([BankFile("laws.csv", header + content)])

    lines = (header + content).count(b"\n") + (header + content).count(b"\r") + 1
    assert all(1 <= refusal.line <= lines for refusal in reading.refusals)
    assert reading.entries == ()
