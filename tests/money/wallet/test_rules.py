"""External payment references in their normal form."""

import pytest
from api.money.wallet.rules import plain_reference


@pytest.mark.parametrize(
    "written",
    [
        "nip 000\u20111\u00e9",
        "NIP000\u20101E\u0301",
        "NIP000\u20101E\u200d\u0301",
        "\uff2e\uff29\uff30000\u2010\u200b1\u00c9",
    ],
)
def test_spellings_that_look_alike_are_one_reference(written: str) -> None:
    assert plain_reference(written) == "NIP000\u20101\u00c9"
    assert plain_reference(plain_reference(written)) == plain_reference(written)
