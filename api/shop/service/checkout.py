"""The checkout: places an order at the server's prices, or explains why it cannot."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.foundation.core import clock
from api.foundation.core.config import Settings
from api.foundation.core.errors import InvalidFieldError
from api.foundation.core.ids import new_id
from api.foundation.database.database import Database
from api.foundation.database.idempotency import fingerprint
from api.foundation.office_settings import service as office_settings
from api.foundation.office_settings.schemas import OfficeSettings
from api.shop import rules
from api.shop.enums import PaymentMethod
from api.shop.errors import (
    ProductUnavailableError,
    TransferNotOfferedError,
)
from api.shop.events import OrderPlaced
from api.shop.repository import checkout, delivery
from api.shop.schemas.checkout import (
    CheckoutAnswer,
    CheckoutInput,
    CheckoutOptions,
    SavedAddressAnswer,
    StateFee,
    TransferInstructions,
)
from api.shop.service.placing import OrderPlacer, changed_line

TRANSFER_INSTRUCTIONS = (
    "Use your order number as the payment reference and email the receipt to your club."
)


@dataclass(frozen=True)
class CheckoutResult:
    """The outcome of a checkout; ``replayed`` if an earlier call with the key placed the order."""

    answer: CheckoutAnswer
    replayed: bool


async def transfer_instructions(
    database: Database, settings: Settings
) -> TransferInstructions | None:
    """Return the account for transfers: the back office's, else the deployment's, or None."""
    return _instructions(await office_settings.read_settings(database, settings))


def _instructions(app: OfficeSettings) -> TransferInstructions | None:
    account = app.transfer_account
    if account is None:
        return None
    return TransferInstructions(
        account_name=account.account_name,
        account_number=account.account_number,
        bank=account.bank,
        instructions=TRANSFER_INSTRUCTIONS,
    )


async def checkout_options(
    database: Database, settings: Settings, user_id: UUID
) -> CheckoutOptions:
    """Return the available payment methods, the delivery fees, and the saved address."""
    app = await office_settings.read_settings(database, settings)
    fees = await delivery.list_fees(database)
    address = await delivery.read_address(database, user_id)
    return CheckoutOptions(
        bank_transfer=_instructions(app),
        states=[StateFee(state=row.state, fee=row.fee_kobo) for row in fees],
        state_required=app.state_required,
        saved_address=None if address is None else SavedAddressAnswer.model_validate(address),
    )


async def forget_address(database: Database, user_id: UUID) -> None:
    """Delete a member's saved address; idempotent."""
    async with database.transaction() as tx:
        await delivery.delete_address(tx, user_id)


async def check_out(
    placer: OrderPlacer, settings: Settings, user_id: UUID, form: CheckoutInput, key: str | None
) -> CheckoutResult:
    """Place an order at the server's prices, with its stock and money, atomically.

    Raises:
        ProductUnavailableError: stock is short, or a product or size unknown.
        PriceChangedError: the member saw another price, or another delivery fee.
        TooManyOpenOrdersError: the maximum of orders waits for a bank transfer.
        TooMuchUnpaidError: with this order, too much would wait for bank transfers.
        InvalidFieldError: more than 99 of a product, more money than one transfer can move, or no
            state although deliveries require one.
        KeyReusedError: the idempotency key named another cart.
    """
    database = placer.database
    by_transfer = form.payment_method is PaymentMethod.BANK_TRANSFER
    if by_transfer or form.billing.state is None:
        app = await office_settings.read_settings(database, settings)
        if by_transfer and app.transfer_account is None:
            raise TransferNotOfferedError
        if form.billing.state is None and app.state_required:
            raise InvalidFieldError.of("billing.state", rules.STATE_SENTENCE)
    outcome = await placer.place(_new_order(user_id, form, key, clock.now()))
    order_id = UUID(outcome["id"])
    if not outcome["replayed"]:
        await database.publish([OrderPlaced(order_id, user_id, form.payment_method)])
    # Answers stored before orders had these fields lack them.
    pay_by, fee = outcome.get("pay_by"), outcome.get("delivery_fee_kobo", 0)
    answer = CheckoutAnswer(
        order_number=outcome["number"],
        order_id=order_id,
        total=outcome["total_kobo"],
        items_total=outcome["total_kobo"] - fee,
        delivery_fee=fee,
        pay_by=None if pay_by is None else datetime.fromisoformat(pay_by),
    )
    return CheckoutResult(answer, outcome["replayed"])


def _new_order(
    user_id: UUID, form: CheckoutInput, key: str | None, now: datetime
) -> checkout.NewOrder:
    _require_known(form)
    is_transfer = form.payment_method is PaymentMethod.BANK_TRANSFER
    return checkout.NewOrder(
        id=new_id(),
        number=rules.draw_order_number(),
        user_id=user_id,
        payment_method=form.payment_method.value,
        lines=[
            {
                "id": str(line.id),
                "variant": line.variant_id and str(line.variant_id),
                "quantity": line.quantity,
                "price_kobo": line.price,
            }
            for line in form.carts
        ],
        billing=form.billing.model_dump(by_alias=True, exclude_none=True),
        seen_fee_kobo=form.delivery_fee,
        keeps_address=form.save_address,
        key=key,
        # Unset fields are left out, so that a new field does not change the fingerprint of a retry.
        fingerprint=fingerprint(form.model_dump(mode="json", by_alias=True, exclude_unset=True)),
        now=now,
        pay_by=now + rules.TRANSFER_WINDOW if is_transfer else None,
    )


def _require_known(form: CheckoutInput) -> None:
    """Refuse ids that cannot be a product's before querying the database."""
    lines = [
        changed_line(str(line.id), quantity=line.quantity, variant=line.variant_id)
        for line in form.carts
        if not isinstance(line.id, UUID) or isinstance(line.variant_id, str)
    ]
    if lines:
        raise ProductUnavailableError(content={"lines": lines})
