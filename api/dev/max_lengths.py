"""Generates the maximum lengths of the fields in members' forms from the input schemas.

The schemas of uploaded forms and of socket events are not in the description, so the models and
the rules are read instead.
"""

from api.community.chat import rules as chat_rules
from api.community.moments.schemas import MomentText
from api.foundation.wire.schemas import WireInput
from api.home.privacy.schemas import EraseInput
from api.people.auth.schemas import SignInInput, SignUpInput
from api.people.users.schemas import NextOfKinsInput, ProfileInput, SettlementInput
from api.shop.schemas.checkout import Billing

FORMS: dict[str, type[WireInput]] = {
    "SIGN_IN": SignInInput,
    "SIGN_UP": SignUpInput,
    "PROFILE": ProfileInput,
    "SETTLEMENT": SettlementInput,
    "NEXT_OF_KIN": NextOfKinsInput,
    "ACCOUNT_DELETION": EraseInput,
    "BILLING": Billing,
    "MOMENT": MomentText,
}
HEAD = "// Made from the input schemas by `python3 run.py client`; do not edit.\n"


def max_lengths_text() -> str:
    """Return the generated script, which is deterministic."""
    constants = "".join(_constant(form, model) for form, model in FORMS.items())
    message, excerpt = chat_rules.MAX_MESSAGE_LENGTH, chat_rules.MAX_EXCERPT_LENGTH
    chat = f"export const CHAT_MAX_LENGTHS = {{ message: {message}, excerpt: {excerpt} }};\n"
    return HEAD + constants + chat


def _constant(form: str, model: type[WireInput]) -> str:
    fields = ", ".join(f"{name}: {length}" for name, length in _max_lengths(model).items())
    return f"export const {form}_MAX_LENGTHS = {{ {fields} }};\n"


def _max_lengths(model: type[WireInput]) -> dict[str, int]:
    return {
        name: shape["maxLength"]
        for name, field in model.model_json_schema()["properties"].items()
        for shape in (field, *field.get("anyOf", ()))
        if "maxLength" in shape
    }
