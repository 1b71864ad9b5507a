"""Files of the bank for tests."""

import csv
import io

from api.games.questions.rules.reading import COLUMNS, BankFile

ROW = {
    "slug": "laws-goal-width",
    "kind": "trivia",
    "club": "",
    "topic": "laws",
    "question": "How wide is a goal?",
    "right": "7.32 m",
    "wrong_1": "8.44 m",
    "wrong_2": "6.40 m",
    "wrong_3": "9.15 m",
    "explanation": "The crossbar is 2.44 m above the ground.",
    "source": "IFAB Laws of the Game, Law 1",
    "difficulty": "1",
}
OTHER = {"slug": "laws-penalty-mark", "question": "How far is the penalty mark?", "right": "11 m"}


def bank_file(*rows: dict[str, str], name: str = "laws.csv") -> BankFile:
    """Return a file whose rows are ``ROW`` with these cells changed."""
    sheet = io.StringIO(newline="")
    writer = csv.DictWriter(sheet, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**ROW, **row} for row in rows)
    return BankFile(name, sheet.getvalue().encode())
