"""Rules of the member record."""

import re

SHORTEST_PHONE = 10
LONGEST_PHONE = 14
PHONE_SENTENCE = "Phone number must be up to eleven numbers"  # the rule is ten: spec 5 and 9
NATIONAL = re.compile(r"0?([1-9][0-9]{9})")
INTERNATIONAL = re.compile(r"\+234([1-9][0-9]{9})")


def normalise_phone(phone: str) -> str:
    """Return a Nigerian number in E.164 form: 0803…, 803… and +234803… are one phone.

    Raises:
        ValueError: it is none of the three (contract B-14).
    """
    compact = phone.replace(" ", "").replace("-", "")
    if not SHORTEST_PHONE <= len(compact) <= LONGEST_PHONE:
        raise ValueError(PHONE_SENTENCE)
    found = NATIONAL.fullmatch(compact) or INTERNATIONAL.fullmatch(compact)
    if found is None:
        raise ValueError(PHONE_SENTENCE)
    return f"+234{found.group(1)}"
