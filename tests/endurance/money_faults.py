"""The small bugs that ``seeded_faults`` plants: what each breaks, where, and which tests catch it.

Long because it is a list. Each replaced text occurs exactly once in its file.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A bug: ``new`` in place of ``old`` in a file; one of ``tests`` has to fail."""

    name: str
    breaks: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


LEDGER = (
    Fault(
        "debit-adds",
        "What leaves a wallet is added to it.",
        "api/money/wallet/sql/post_ledger_transfer.sql",
        "THEN -NEW.amount_kobo ELSE NEW.amount_kobo END",
        "THEN NEW.amount_kobo ELSE NEW.amount_kobo END",
        ("money/wallet/test_ledger.py::test_refunds_mirror_their_purchase_and_never_exceed_it",),
    ),
    Fault(
        "wallet-not-locked",
        "A transfer looks for its reference before it waits for the wallet.",
        "api/money/wallet/sql/post_wallet_transfer.sql",
        "WHERE owner_id = p_owner FOR NO KEY UPDATE;\n  IF wallet IS NULL",
        "WHERE owner_id = p_owner;\n  IF wallet IS NULL",
        ("money/wallet/test_ledger.py::test_thirty_credits_of_one_reference_at_once_credit_once",),
    ),
    Fault(
        "reference-content-ignored",
        "A known reference is taken for the same transfer, whatever it moves.",
        "api/money/wallet/sql/post_wallet_transfer.sql",
        "IF (known.wallet_id, known.wallet_change_kobo, known.reverses_id)\n"
        "       IS DISTINCT FROM (wallet, p_change, p_reverses) THEN",
        "IF false THEN",
        ("money/wallet/test_ledger.py::test_a_reference_never_names_two_different_transfers",),
    ),
    Fault(
        "reference-not-unique",
        "Two wallets are credited under one reference.",
        "migrations/versions/20261122_1710_baseline.py",
        'sa.UniqueConstraint("kind", "reference", name=op.f("uq_ledger_transfer_kind_reference")),',
        "",
        ("money/wallet/test_ledger.py::test_a_reference_racing_into_two_wallets_reaches_one",),
    ),
    Fault(
        "refunds-not-added-up",
        "Each refund alone is compared with its payment.",
        "api/money/wallet/sql/post_ledger_transfer.sql",
        "WHERE reverses_id = NEW.reverses_id), 0)",
        "WHERE reverses_id = NEW.id), 0)",
        ("money/wallet/test_ledger.py::test_refunds_mirror_their_purchase_and_never_exceed_it",),
    ),
    Fault(
        "adjustments-at-once",
        "An operator's adjustments at once each see the day without the others.",
        "api/money/wallet/repository/operator_credits.py",
        "    await tx.execute(LOCK_DAY, str(operator_id), AdvisoryLock.CREDITS_OF_OPERATOR)\n",
        "",
        (
            "money/wallet/test_adjustments.py::test_the_day_counts_what_an_operator_moved_alone_either_way_and_at_once",
        ),
    ),
    Fault(
        "adjustments-cancel-out",
        "What an operator took out makes room for putting in.",
        "api/money/wallet/service/adjustments.py",
        "        counted_kobo=amount,\n",
        "        counted_kobo=Kobo(max(0, new.amount_kobo)),\n",
        (
            "money/wallet/test_adjustments.py::test_the_day_counts_what_an_operator_moved_alone_either_way_and_at_once",
        ),
    ),
    Fault(
        "adjustment-day-of-utc",
        "The day of an operator's limit begins an hour late.",
        "api/money/wallet/service/operator_credits.py",
        "clock.midnight(clock.lagos_day(now))",
        "now.replace(hour=0, minute=0, second=0, microsecond=0)",
        ("money/wallet/test_adjustments.py::test_the_day_of_the_limit_is_lagos",),
    ),
    Fault(
        "own-wallet-adjusted",
        "An operator puts money into their own wallet alone.",
        "api/money/wallet/service/operator_credits.py",
        "ApprovalReason.OWN: self.operator.user_id in user_ids",
        "ApprovalReason.OWN: self.operator.id in user_ids",
        ("money/wallet/test_adjustments.py::test_nobody_adjusts_their_own_wallet_alone",),
    ),
    Fault(
        "review-by-one",
        "A payment of another amount is credited by one operator.",
        "api/money/wallet/service/reviews.py",
        "frozenset({ReviewKind.AMOUNT, ReviewKind.CURRENCY})",
        "frozenset({ReviewKind.CURRENCY})",
        (
            "money/payments/test_desk.py::test_a_payment_of_another_amount_waits_for_two_people_and_is_credited_once",
        ),
    ),
    Fault(
        "statement-without-its-last-day",
        "The last day of a statement ends at its beginning.",
        "api/money/wallet/service/statements.py",
        "clock.midnight(min(last, LAST_DAY) + DAY)",
        "clock.midnight(min(last, LAST_DAY))",
        ("money/wallet/test_statements.py::test_a_day_is_lagos_and_both_its_ends_belong_to_it",),
    ),
    Fault(
        "statement-day-of-utc",
        "The file names the day of London.",
        "api/money/wallet/service/statements.py",
        "clock.lagos_day(row.created_at).isoformat()",
        "row.created_at.date().isoformat()",
        ("money/wallet/test_statements.py::test_the_file_names_the_days_of_lagos",),
    ),
    Fault(
        "months-do-not-meet",
        "A month's closing is not what the next one opens with.",
        "api/money/wallet/service/statements.py",
        "closing -= row.in_kobo",
        "closing += row.in_kobo",
        (
            "money/wallet/test_statements.py::test_months_meet_have_no_gap_and_begin_with_the_first_movement",
        ),
    ),
)
SHOP = (
    Fault(
        "price-not-compared",
        "A member is charged a price that they did not see.",
        "api/shop/sql/place_orders.sql",
        "bool_or(asked.lowest <> p.price_kobo OR asked.highest <> p.price_kobo) AS is_dearer",
        "false AS is_dearer",
        (
            "shop/test_checkout.py::test_a_price_the_member_did_not_see_is_shown_before_it_is_charged",
        ),
    ),
    Fault(
        "sizes-not-locked",
        "Two carts each see the last one on the shelf.",
        "api/shop/sql/place_orders.sql",
        " ORDER BY v.id FOR NO KEY UPDATE;",
        " ORDER BY v.id;",
        ("shop/test_drop.py::test_single_orders_at_once_wait_for_the_size_before_they_look",),
    ),
    Fault(
        "order-of-who-left",
        "A member who is leaving buys something that nobody gives back.",
        "api/shop/sql/place_orders.sql",
        "IF NOT hold_member(wish.user_id) THEN",
        "IF false THEN",
        (
            "shop/test_checkout.py::test_an_order_for_who_is_leaving_is_refused_or_seen_by_the_leaving",
        ),
    ),
    Fault(
        "fourth-open-order",
        "Orders at once each see few that wait for a transfer.",
        "api/shop/service/placing.py",
        "            await checkout.lock_open_orders(tx, order.user_id)\n",
        "",
        (
            "shop/test_open_orders.py::test_an_order_waits_for_one_that_is_being_placed_before_it_counts_the_open_ones",
        ),
    ),
    Fault(
        "expired-keeps-its-stock",
        "What an expired order held is sold to nobody.",
        "api/shop/service/moving.py",
        "        await stock.release(tx, order_ids)\n",
        "",
        (
            "shop/test_open_orders.py::test_an_order_that_nobody_pays_expires_and_gives_its_stock_back_once",
        ),
    ),
    Fault(
        "expired-twice",
        "Sweeps at once each release what an order held.",
        "api/shop/repository/orders.py",
        "LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED",
        "LIMIT $2",
        ("shop/test_open_orders.py::test_ten_sweeps_at_once_give_each_order_back_once",),
    ),
    Fault(
        "expired-with-a-proof",
        "An order expires while the proof of its payment waits.",
        "api/shop/repository/orders.py",
        "p.state = 'waiting')",
        "p.state = 'rejected')",
        (
            "shop/test_proofs.py::test_an_order_with_a_waiting_proof_neither_expires_nor_is_cancelled",
        ),
    ),
    Fault(
        "own-order-not-locked",
        "A member cancels an order that is shipped at the same time.",
        "api/shop/repository/orders.py",
        'LOCK_ORDER = Query(ORDER + " o.user_id = $1 AND o.id = $2 FOR NO KEY UPDATE"',
        'LOCK_ORDER = Query(ORDER + " o.user_id = $1 AND o.id = $2"',
        ("shop/test_orders.py::test_a_cancellation_waits_for_a_shipment_and_is_refused",),
    ),
    Fault(
        "cancelled-twice",
        "Each cancellation of an order gives stock and money back.",
        "api/shop/service/cancelling.py",
        "        require_move(OrderStatus(order.status), OrderStatus.CANCELLED,",
        "        (OrderStatus(order.status), OrderStatus.CANCELLED,",
        ("shop/test_orders.py::test_twenty_cancellations_at_once_are_one",),
    ),
    Fault(
        "anybody-cancels",
        "A member cancels another's order.",
        "api/shop/repository/orders.py",
        'LOCK_ORDER = Query(ORDER + " o.user_id = $1 AND',
        'LOCK_ORDER = Query(ORDER + " $1::uuid IS NOT NULL AND',
        ("shop/test_orders.py::test_nobody_elses_order_is_there",),
    ),
    Fault(
        "cancelled-after-a-refund",
        "Cancelling gives back what a refund gave back before.",
        "api/shop/service/cancelling.py",
        "order.total_kobo - await ledger.refunded(tx, transfer_id)",
        "order.total_kobo",
        (
            "backoffice/refunds/test_refunds.py::test_cancels_and_sends_at_once_give_back_no_more_than_was_paid",
            "backoffice/refunds/test_refunds.py::test_what_was_refunded_is_not_sent_and_all_of_it_ends_the_order",
        ),
    ),
    Fault(
        "sent-stays-on-the-shelf",
        "What was sent is sold again.",
        "api/shop/repository/stock.py",
        "SET stock = v.stock - ordered.units, allocated",
        "SET allocated",
        ("shop/test_sizes.py::test_shipping_sells_what_an_order_held",),
    ),
    Fault(
        "released-after-a-refund",
        "Cancelling releases units that a refund released before.",
        "api/shop/repository/stock.py",
        "SET allocated = v.allocated - ordered.units\n"
        "  FROM (SELECT variant_id, sum(quantity - refunded_quantity)::int",
        "SET allocated = v.allocated - ordered.units\n"
        "  FROM (SELECT variant_id, sum(quantity)::int",
        (
            "backoffice/refunds/test_refunds.py::test_cancels_and_sends_at_once_give_back_no_more_than_was_paid",
        ),
    ),
    Fault(
        "late-transfer-oversells",
        "A late transfer takes units that another order holds.",
        "api/shop/repository/stock.py",
        "w.stock - w.allocated < one.units",
        "w.stock < one.units",
        (
            "shop/test_transfers.py::test_a_late_transfer_that_cannot_keep_the_order_is_in_the_wallet",
        ),
    ),
    Fault(
        "transfer-confirmed-at-once",
        "A confirmation does not see that the order is ending.",
        "api/shop/repository/orders.py",
        'LOCK_ANY_ORDER = Query(ORDER + " o.id = $1 FOR NO KEY UPDATE"',
        'LOCK_ANY_ORDER = Query(ORDER + " o.id = $1"',
        (
            "shop/test_transfers.py::test_a_confirmation_waits_for_the_clock_and_then_takes_the_products_again",
        ),
    ),
    Fault(
        "transfer-surplus-credited",
        "More than an order costs goes to the wallet without a person's look.",
        "api/shop/service/settling.py",
        "part = min(left, receipt.amount_kobo)",
        "part = receipt.amount_kobo",
        ("shop/test_transfers.py::test_what_is_too_much_waits_for_a_person_and_is_credited_once",),
    ),
    Fault(
        "bank-reference-as-typed",
        "One bank transfer counts twice, in another spelling.",
        "api/shop/rules.py",
        'MIN_BANK_REFERENCE_LENGTH} characters")\n    return plain\n',
        'MIN_BANK_REFERENCE_LENGTH} characters")\n    return reference\n',
        (
            "shop/test_transfers.py::test_a_banks_reference_counts_once_for_ever_however_it_is_written",
        ),
    ),
    Fault(
        "paid-order-takes-a-transfer",
        "An order that was paid takes a bank transfer.",
        "api/shop/service/confirming.py",
        "        and not order.is_paid\n",
        "",
        (
            "shop/test_transfers.py::test_an_order_that_was_paid_and_cancelled_takes_no_other_transfer",
        ),
    ),
    Fault(
        "transfer-day-of-utc",
        "After eleven in London a transfer of today is one of tomorrow.",
        "api/shop/service/confirming.py",
        "now.astimezone(clock.LAGOS).date()",
        "now.date()",
        ("shop/test_transfers.py::test_a_transfer_of_today_is_one_of_lagos",),
    ),
    Fault(
        "fourth-proof",
        "An order takes one proof more than it may.",
        "api/shop/service/proofs.py",
        "if await proofs.count_proofs(database, order.id) >= rules.MAX_PROOFS",
        "if await proofs.count_proofs(database, order.id) > rules.MAX_PROOFS",
        ("shop/test_proofs.py::test_a_new_proof_replaces_the_waiting_one_and_a_fourth_is_refused",),
    ),
)
REFUNDS = (
    Fault(
        "refund-sent-twice",
        "A refund that was decided is decided again.",
        "api/backoffice/refunds/service/sending.py",
        "if case.state != RefundState.ASKED:",
        "if case.state == RefundState.REFUSED:",
        (
            "backoffice/refunds/test_refunds.py::test_a_second_send_and_a_refusal_after_it_move_nothing",
        ),
    ),
    Fault(
        "refund-refused-while-sent",
        "A refusal at once with the sending says that nothing was given back.",
        "api/backoffice/refunds/repository.py",
        "WHERE c.id = $1 FOR NO KEY UPDATE",
        "WHERE c.id = $1",
        (
            "backoffice/refunds/test_refunds.py::test_a_refusal_waits_for_who_is_sending_and_then_is_too_late",
        ),
    ),
    Fault(
        "refund-in-parts",
        "A large refund is sent by one operator in small parts.",
        "api/backoffice/refunds/service/sending.py",
        "each_kobo=sent + amount, together_kobo=amount",
        "each_kobo=amount, together_kobo=amount",
        (
            "backoffice/refunds/test_refunds.py::test_a_large_refund_in_small_parts_needs_a_second_person_too",
        ),
    ),
    Fault(
        "refund-of-another-amount",
        "What two people agreed to is not what is sent.",
        "api/backoffice/refunds/service/sending.py",
        "if said != (format_naira(case.amount_kobo), case.bought):",
        "if said[1] != case.bought:",
        (
            "backoffice/refunds/test_refunds.py::test_an_approval_of_another_amount_than_was_asked_for_does_nothing",
        ),
    ),
    Fault(
        "refund-lines-asked-twice",
        "Open refunds of a line are not counted when another one is asked for.",
        "api/backoffice/refunds/service/asking.py",
        "line.refunded + asked.get(number, 0) + units",
        "line.refunded + units",
        (
            "backoffice/refunds/test_refunds.py::test_a_refused_refund_makes_room_for_another",
            "backoffice/refunds/test_refunds.py::test_twenty_asks_and_twenty_sends_at_once_give_back_what_was_bought_once",
        ),
    ),
    Fault(
        "refund-fee-given-twice",
        "The delivery fee is given back with each refund.",
        "api/backoffice/refunds/service/asking.py",
        "left = order.fee_kobo - taken_kobo",
        "left = order.fee_kobo",
        ("backoffice/refunds/test_refunds.py::test_the_fee_of_a_delivery_is_given_back_once",),
    ),
)
PAYMENTS = (
    Fault(
        "paystack-unsigned",
        "A report without a signature is believed.",
        "api/app/adapters/paystack.py",
        "if not hmac.compare_digest(expected, given):",
        "if given and not hmac.compare_digest(expected, given):",
        (
            "money/payments/test_settle.py::test_a_webhook_without_the_right_signature_is_refused_and_not_kept",
        ),
    ),
    Fault(
        "paystack-signed-as-parsed",
        "The signature is checked over what was read instead of the bytes.",
        "api/app/adapters/paystack.py",
        "hmac.new(self._key, raw, hashlib.sha512)",
        'hmac.new(self._key, json.dumps(json.loads(raw or b"0")).encode(), hashlib.sha512)',
        ("app/adapters/test_paystack.py::test_a_body_that_was_only_rewritten_is_refused",),
    ),
    Fault(
        "flutterwave-unsigned",
        "A report without the secret is believed to be the provider's.",
        "api/app/adapters/flutterwave.py",
        "if not any(right):",
        "if not any(right) and STATIC_HEADER in headers:",
        (
            "money/payments/test_flutterwave.py::test_a_report_without_the_right_secret_is_refused_and_not_kept",
        ),
    ),
    Fault(
        "flutterwave-naira-as-kobo",
        "What the provider says in naira is taken for kobo.",
        "api/app/adapters/flutterwave_wire.py",
        "int((naira * KOBO_PER_NAIRA).to_integral_value(ROUND_FLOOR))",
        "int(naira.to_integral_value(ROUND_FLOOR))",
        ("app/adapters/test_flutterwave.py::test_what_was_asked_for_and_paid_is_read_to_the_kobo",),
    ),
    Fault(
        "paid-too-little",
        "A payment of less than was asked for is credited in full.",
        "api/money/payments/rules.py",
        '"amount": verification.amount_kobo >= expected.amount_kobo\n        and requested_kobo',
        '"amount": requested_kobo',
        ("money/payments/test_rules.py::test_a_payment_that_does_not_fit_is_set_aside",),
    ),
    Fault(
        "test-money-credited",
        "A payment of the provider's test mode is credited.",
        "api/money/payments/rules.py",
        '"mode": verification.livemode is expected.livemode,',
        "",
        ("money/payments/test_rules.py::test_a_payment_that_does_not_fit_is_set_aside",),
    ),
    Fault(
        "failure-after-success",
        "A late failure takes a decided funding back to where it was.",
        "api/money/payments/rules.py",
        "    if expected.state in DECIDED:\n        return unchanged\n",
        "",
        ("money/payments/test_rules.py::test_what_is_decided_stays_decided",),
    ),
    Fault(
        "funding-day-of-utc",
        "The day of a member's limit begins an hour late.",
        "api/money/payments/rules.py",
        "return midnight(lagos_day(now))",
        "return now.replace(hour=0, minute=0, second=0, microsecond=0)",
        ("money/payments/test_rules.py::test_the_day_is_counted_in_lagos",),
    ),
    Fault(
        "cancelled-while-credited",
        "Whoever decides a funding does not wait for who cancels it.",
        "api/money/payments/repository/fundings.py",
        "        .where(Funding.gateway == gateway, Funding.reference == reference)\n"
        "        .with_for_update()\n",
        "        .where(Funding.gateway == gateway, Funding.reference == reference)\n",
        (
            "money/payments/test_cancel.py::test_a_cancel_during_the_credit_is_told_that_the_payment_is_complete",
            "money/payments/test_cancel.py::test_cancels_and_payments_at_once_end_in_one_credit",
        ),
    ),
    Fault(
        "late-payments-at-once",
        "Late payments at once each see the day without the others.",
        "api/money/payments/service/settling.py",
        "    await fundings.lock_member_of(tx, gateway, verification.reference)\n",
        "",
        ("money/payments/test_cancel.py::test_late_payments_at_once_stay_within_the_day",),
    ),
    Fault(
        "fundings-at-once",
        "Fundings at once each see the day without the others.",
        "api/money/payments/service/preparing.py",
        "    await fundings.lock_member(tx, intent.user_id)\n",
        "",
        (
            "money/payments/test_prepare.py::test_a_funding_waits_for_whoever_counts_the_members_day",
        ),
    ),
    Fault(
        "one-payment-for-two-at-once",
        "Two fundings of one transaction at once both find it unknown.",
        "api/money/payments/repository/fundings.py",
        "await tx.execute(LOCK_TRANSACTION, key, AdvisoryLock.SPELLED_OUT)",
        "str(key)",
        (
            "money/payments/test_settle.py::test_one_transaction_of_the_provider_pays_one_funding_however_many_it_is_reported_for",
        ),
    ),
    Fault(
        "charged-back-twice",
        "Cases of one funding are not added up.",
        "api/money/payments/service/charging_back.py",
        "funding.amount_kobo - await chargebacks.read_charged_back(tx, funding.id)",
        "funding.amount_kobo",
        (
            "money/payments/test_debts.py::test_twenty_chargebacks_and_credits_at_once_lose_and_repay_nothing_twice",
            "money/payments/test_desk.py::test_a_chargeback_that_does_not_fit_moves_nothing",
        ),
    ),
    Fault(
        "debt-collected-at-once",
        "Collections at once each see the whole debt.",
        "api/money/payments/repository/chargebacks.py",
        " WHERE d.id = $1 FOR NO KEY UPDATE OF d",
        " WHERE d.id = $1",
        (
            "money/payments/test_debts.py::test_a_credit_waits_for_a_concurrent_settlement_of_the_debt_and_stays_with_the_member",
        ),
    ),
    Fault(
        "another-debt-written-off",
        "A debt is written off though it is not the one that was agreed to.",
        "api/money/payments/service/charging_back.py",
        "if debt.left_kobo != wanted.left_kobo:",
        "if debt.left_kobo > wanted.left_kobo:",
        ("money/payments/test_debts.py::test_a_debt_that_was_paid_meanwhile_is_not_written_off",),
    ),
    Fault(
        "nobodys-cancel",
        "A member lets go of another's checkout.",
        "api/money/payments/repository/fundings.py",
        ".where(Funding.user_id == user_id, Funding.reference == reference)",
        ".where(Funding.reference == reference)",
        ("money/payments/test_cancel.py::test_nobody_cancels_anothers_checkout",),
    ),
)
PLANS = (
    Fault(
        "renewed-from-now",
        "A renewed period begins when the worker came, and not where the last one ended.",
        "api/money/subscriptions/service/renewing.py",
        "            latest.plan_id,\n            latest.ends_at,\n",
        "            latest.plan_id,\n            now,\n",
        (
            "money/subscriptions/test_renewing.py::test_a_plan_that_renews_goes_on_from_its_old_end_for_its_price",
        ),
    ),
    Fault(
        "renewed-at-once",
        "Workers at once each renew a plan.",
        "api/money/subscriptions/service/renewing.py",
        "            async with database.transaction() as tx:\n"
        "                await subscriptions.lock_member(tx, user_id)\n",
        "            async with database.transaction() as tx:\n",
        ("money/subscriptions/test_renewing.py::test_twenty_renewals_at_once_charge_once",),
    ),
    Fault(
        "grace-for-all",
        "A plan that does not renew stays open for a day after its end.",
        "api/money/subscriptions/sql/current_plan_id.sql",
        "CASE WHEN renews THEN {{grace}} ELSE '0' END",
        "{{grace}}",
        (
            "money/subscriptions/test_plans.py::test_a_plan_ends_at_the_very_instant_and_nothing_has_to_run",
            "money/subscriptions/test_renewing.py::test_the_battle_zone_stays_open_in_grace_and_closes_after_it",
        ),
    ),
    Fault(
        "month-of-utc",
        "A month begun after eleven at night in London ends on another day.",
        "api/money/subscriptions/rules.py",
        "started = starts_at.astimezone(LAGOS)",
        "started = starts_at.astimezone(UTC)",
        ("money/subscriptions/test_rules.py::test_a_month_is_counted_from_the_day_in_lagos",),
    ),
    Fault(
        "unused-days-rounded-up",
        "A day that was begun is given back.",
        "api/money/subscriptions/rules.py",
        "left = max(0, (ends_at - max(now, starts_at)) // DAY)",
        "left = max(0, (ends_at - max(now, starts_at)) // DAY + 1)",
        ("money/subscriptions/test_rules.py::test_only_whole_days_that_are_left_are_given_back",),
    ),
    Fault(
        "plan-credited-after-a-refund",
        "A switch gives back what a refund gave back before.",
        "api/money/subscriptions/rules.py",
        "paid_kobo - refunded_kobo))",
        "paid_kobo))",
        (
            "money/subscriptions/test_subscribe.py::test_a_payment_that_was_given_back_already_is_not_given_back_again",
        ),
    ),
    Fault(
        "gifts-at-once",
        "Gifts at once each see a member without a plan.",
        "api/money/subscriptions/service/giving.py",
        "    await subscriptions.lock_member(tx, user_id)\n",
        "",
        (
            "money/subscriptions/test_back_office.py::test_a_gift_waits_for_whoever_changes_the_members_plans",
        ),
    ),
)
BACK_OFFICE = (
    Fault(
        "approves-own",
        "An operator approves what they have proposed.",
        "api/backoffice/oversight/service/approvals.py",
        "if row.proposed_by == admin.operator.id:\n            raise OwnProposalError",
        "if row.proposed_by == approval_id:\n            raise OwnProposalError",
        (
            "backoffice/oversight/test_second_person.py::test_a_proposal_says_what_it_is_and_waits_for_another",
        ),
    ),
    Fault(
        "approved-at-once",
        "Decisions at once each do what was proposed.",
        "api/backoffice/oversight/repository/approvals.py",
        "FROM approval a WHERE a.id = $1 FOR UPDATE",
        "FROM approval a WHERE a.id = $1",
        ("backoffice/oversight/test_second_person.py::test_twenty_decisions_at_once_are_one",),
    ),
    Fault(
        "approved-unread",
        "What was changed after it was read is approved.",
        "api/backoffice/oversight/service/approvals.py",
        "if row.digest != form.digest:",
        "if not form.digest:",
        (
            "backoffice/oversight/test_second_person.py::test_after_a_change_it_has_to_be_read_again",
        ),
    ),
    Fault(
        "approved-without-the-right",
        "Whoever is signed in at the back office approves a movement of money.",
        "api/backoffice/oversight/service/approvals.py",
        "        if not admin.operator.holds(right):\n            raise NotFoundError\n",
        "",
        ("backoffice/oversight/test_second_person.py::test_who_lacks_the_right_does_not_see_it",),
    ),
    Fault(
        "shop-sends-refunds",
        "Who may ask for a refund may send it.",
        "api/foundation/security/rights.py",
        "Right.ORDERS_CONFIRM, Right.REFUND_ASK, Right.AUDIT_READ}",
        "Right.ORDERS_CONFIRM, Right.REFUND_ASK, Right.REFUND_SEND, Right.AUDIT_READ}",
        ("backoffice/oversight/test_access.py::test_the_roles_are_as_they_were_agreed",),
    ),
    Fault(
        "desk-key-ignored",
        "A write of the back office that is sent again is done again.",
        "api/foundation/audit/writing.py",
        "answer, is_replayed = await once(tx, attempt, audited_work)",
        "answer, is_replayed = await audited_work(tx), False",
        (
            "money/wallet/test_adjustments.py::test_a_key_that_comes_twenty_times_at_once_adjusts_once",
        ),
    ),
)
RECEIPTS_AND_PROOFS = (
    Fault(
        "receipts-at-once",
        "Two who ask at once draw two numbers for one payment.",
        "api/money/receipts/service.py",
        "        await repository.lock_counter(tx, year)\n",
        "",
        (
            "money/receipts/test_receipts.py::test_twenty_at_once_draw_numbers_without_a_gap_and_one_each",
        ),
    ),
    Fault(
        "receipt-year-of-utc",
        "A receipt of the new year's first hour has a number of the old one.",
        "api/money/receipts/service.py",
        "year = now.astimezone(clock.LAGOS).year",
        "year = now.year",
        ("money/receipts/test_receipts.py::test_the_year_of_a_number_is_lagos",),
    ),
    Fault(
        "anybodys-receipt",
        "A member reads another's receipt.",
        "api/money/receipts/service.py",
        "if subject is None or subject.user_id != user_id:",
        "if subject is None:",
        ("money/receipts/test_receipts.py::test_what_was_not_paid_or_is_not_ones_own_has_none",),
    ),
    Fault(
        "proof-blind-to-wallets",
        "A balance changed by hand is not found where it is counted in entries alone.",
        "api/money/ledger_audit/repository/checks.py",
        "HAVING a.balance_kobo <> coalesce(sum(t.wallet_change_kobo), 0) OR a.entries",
        "HAVING a.entries",
        ("money/ledger_audit/test_proving.py::test_what_was_changed_by_hand_is_found_and_named",),
    ),
    Fault(
        "fingerprint-without-steps",
        "A wallet whose balances do not follow one another has the same fingerprint.",
        "api/money/ledger_audit/repository/fingerprints.py",
        "        and sum(row.steps for row in ledger) == wallets.steps\n",
        "",
        ("money/ledger_audit/test_proving.py::test_what_was_changed_by_hand_is_found_and_named",),
    ),
    Fault(
        "fingerprint-without-causes",
        "Money that moved for nothing has the same fingerprint.",
        "api/money/ledger_audit/repository/fingerprints.py",
        "        and all(made.get(kind, (0, 0)) == found for kind, found in said.items())\n",
        "",
        ("money/ledger_audit/test_proving.py::test_what_was_changed_by_hand_is_found_and_named",),
    ),
    Fault(
        "proof-blind-to-stock",
        "Stock held by nobody is not found.",
        "api/money/ledger_audit/repository/checks.py",
        "WHERE v.allocated <> coalesce(held.units, 0)",
        "WHERE v.allocated < coalesce(held.units, 0)",
        ("money/ledger_audit/test_proving.py::test_what_was_changed_by_hand_is_found_and_named",),
    ),
    Fault(
        "proof-blind-to-reports",
        "Money that a provider reports and nobody knows is not found for days.",
        "api/money/ledger_audit/repository/checks.py",
        "interval '15 minutes'",
        "interval '15 days'",
        (
            "money/ledger_audit/test_proving.py::test_money_that_a_provider_reports_and_nobody_knows_is_found",
        ),
    ),
    Fault(
        "proof-forgets-what-commits-late",
        "A transfer that commits after a proof is never read by the hourly ones.",
        "api/money/ledger_audit/repository/audit_run.py",
        "boundary.at if await boundary.is_passed(connection) else base",
        "boundary.at",
        (
            "money/ledger_audit/test_sealing.py::test_a_transfer_that_commits_after_a_proof_is_new_however_old_its_id_is",
        ),
    ),
    Fault(
        "proof-bounded-by-what-has-ended",
        "A transaction that is writing counts as one that has not begun.",
        "api/money/ledger_audit/repository/boundary.py",
        "pg_current_xact_id()::text AS number",
        "(pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text AS number",
        (
            "money/ledger_audit/test_sealing.py::test_a_transfer_that_commits_after_a_proof_is_new_however_old_its_id_is",
        ),
    ),
    Fault(
        "proof-without-its-seals",
        "History that was rewritten without a contradiction passes the whole proof.",
        "api/money/ledger_audit/repository/audit_run.py",
        "    if await seals_hold(connection):\n",
        "    if True:\n",
        (
            "money/ledger_audit/test_sealing.py::test_history_rewritten_without_a_contradiction_differs_from_its_seal",
        ),
    ),
    Fault(
        "proof-seals-what-fails",
        "A balance that does not follow from its seal becomes the next seal.",
        "api/money/ledger_audit/repository/audit_run.py",
        "    if result.ok:\n        await seals.seal_moved",
        "    if True:\n        await seals.seal_moved",
        ("money/ledger_audit/test_sealing.py::test_a_wallet_that_moves_is_compared_with_its_seal",),
    ),
    Fault(
        "failed-proof-forgotten",
        "After a failed proof the next one reads only what is new, and passes.",
        "api/money/ledger_audit/repository/boundary.py",
        "WHERE NOT failed.ok AND failed.id > (",
        "WHERE false AND failed.id > (",
        (
            "money/ledger_audit/test_sealing.py::test_after_a_failed_proof_all_are_whole_until_one_passes",
        ),
    ),
    Fault(
        "copy-not-noticed",
        "A restored database is not read completely.",
        "api/money/ledger_audit/repository/boundary.py",
        " WHERE ok AND cluster = $1 AND",
        " WHERE ok AND $1::text IS NOT NULL AND",
        (
            "money/ledger_audit/test_sealing.py::test_the_first_proof_of_a_restored_database_reads_everything",
        ),
    ),
    Fault(
        "proof-warns-nobody",
        "The first proof that does not hold after good ones is told to nobody.",
        "api/money/ledger_audit/service.py",
        "if not proof.ok and (before is None or before.ok):",
        "if not proof.ok and before is not None and not before.ok:",
        ("money/ledger_audit/test_proving.py::test_the_clock_proves_once_an_hour_and_warns_once",),
    ),
)
KEYS = (
    Fault(
        "key-of-another-request",
        "A key answers a request that it did not name.",
        "api/app/schema/sql/claim_idempotency_key.sql",
        "SELECT k.route = p_route AND k.fingerprint = p_fingerprint,",
        "SELECT k.route = p_route,",
        ("shop/test_checkout.py::test_a_key_that_named_another_cart_is_refused",),
    ),
    Fault(
        "key-of-everybody",
        "One member's key is answered with another's order.",
        "api/app/schema/sql/claim_idempotency_key.sql",
        "    VALUES (p_user, p_key, p_route, p_fingerprint) ON CONFLICT DO NOTHING;\n"
        "    claimed := FOUND;\n"
        "    SELECT k.route = p_route AND k.fingerprint = p_fingerprint, k.answer"
        " INTO matches, answer\n"
        "      FROM idempotency_key k WHERE k.user_id = p_user AND k.key = p_key;",
        "    SELECT p_user, p_key, p_route, p_fingerprint\n"
        "     WHERE NOT EXISTS (SELECT FROM idempotency_key k WHERE k.key = p_key)\n"
        "        ON CONFLICT DO NOTHING;\n"
        "    claimed := FOUND;\n"
        "    SELECT k.route = p_route AND k.fingerprint = p_fingerprint, k.answer"
        " INTO matches, answer\n"
        "      FROM idempotency_key k WHERE k.key = p_key;",
        ("shop/test_checkout.py::test_one_members_key_is_not_anothers",),
    ),
    Fault(
        "key-ignored",
        "A write that is sent again under its key is done again.",
        "api/foundation/database/idempotency.py",
        "known = None if attempt is None else await claim(tx, attempt)",
        "known = None if attempt is None else await claim(tx, attempt) and None",
        (
            "money/subscriptions/test_subscribe.py::test_the_same_key_answers_the_same_and_says_so",
            "shop/test_orders.py::test_a_retry_of_a_cancellation_is_answered_and_another_wish_is_refused",
            "shop/test_proofs.py::test_a_retry_under_its_key_is_the_same_proof_and_another_file_is_refused",
        ),
    ),
    Fault(
        "key-of-everybody-found",
        "An upload's key is answered with what another member uploaded.",
        "api/foundation/database/idempotency.py",
        "WHERE user_id = $1 AND key = $2\n",
        "WHERE $1::uuid IS NOT NULL AND key = $2\n",
        ("shop/test_proofs.py::test_one_members_key_is_not_anothers",),
    ),
)
TRUST = (
    Fault(
        "cancelled-transfer-uncounted",
        "A transfer does not count for its operator once the member has cancelled the order.",
        "api/money/wallet/repository/operator_credits.py",
        "WHEN o.status IN ('cancelled', 'expired')",
        "WHEN o.status IN ('expired')",
        (
            "money/wallet/test_operator_credits.py::test_a_transfer_counts_in_full_once_its_member_has_cancelled_the_order",
        ),
    ),
    Fault(
        "cancelled-parts-unweighed",
        "Partial transfers of an order that the club cancels are credited without a limit.",
        "api/backoffice/refunds/service/cancelling.py",
        "if reasons or not admin",
        "if not admin",
        (
            "money/wallet/test_operator_credits.py::test_parts_of_an_order_that_the_club_cancels_are_credited_within_the_limit_of_refunds",
        ),
    ),
    Fault(
        "cancelled-parts-without-the-right",
        "Partial transfers are returned by an operator who may not send refunds.",
        "api/backoffice/refunds/service/cancelling.py",
        "if reasons or not admin.operator.holds(Right.REFUND_SEND):",
        "if reasons:",
        (
            "money/wallet/test_operator_credits.py::test_parts_of_cancelled_orders_count_as_the_days_refunds_and_need_their_right",
        ),
    ),
    Fault(
        "cancelled-parts-uncounted",
        "Partial transfers of cancelled orders do not count towards the day's refunds.",
        "api/money/wallet/repository/operator_credits.py",
        "         WHERE c.kind IN ('refund', 'cancellation')), 0)",
        "         WHERE c.kind IN ('refund')), 0)",
        (
            "money/wallet/test_operator_credits.py::test_parts_of_cancelled_orders_count_as_the_days_refunds_and_need_their_right",
        ),
    ),
    Fault(
        "allowance-cancelled",
        "A new account cancels the paid order that allowed its unpaid stock.",
        "api/shop/service/cancelling.py",
        "await _require_still_allowed(tx, user_id, now)",
        "pass",
        (
            "shop/test_unpaid_stock.py::test_the_paid_order_that_allows_more_unpaid_stock_is_not_cancelled_before_it",
        ),
    ),
    Fault(
        "bank-rows-by-mapping",
        "Another mapping makes the same rows of a bank statement new lines.",
        "api/shop/service/statement_file.py",
        "StatementLine(*read, seen[read], digest, rows[digest])",
        "StatementLine(*read, seen[read], digest + str(mapping), rows[digest])",
        ("shop/test_bank.py::test_a_file_whose_columns_are_taken_for_others_has_no_new_lines",),
    ),
    Fault(
        "own-plan-forgotten",
        "An operator who changed a plan gives it alone.",
        "api/money/subscriptions/service/giving.py",
        "        reasons.append(ApprovalReason.OWN_PRODUCT)\n",
        "        pass\n",
        (
            "money/wallet/test_operator_credits.py::test_an_operator_who_changed_a_plan_cannot_give_it_alone",
        ),
    ),
    Fault(
        "repaid-before-the-order",
        "A transfer for an order repays a debt before it pays the order.",
        "api/money/payments/sql/ledger_transfer.repay_debts.sql",
        "INITIALLY DEFERRED",
        "INITIALLY IMMEDIATE",
        (
            "money/payments/test_debts.py::test_a_transfer_for_an_order_pays_the_order_before_any_debt",
        ),
    ),
    Fault(
        "newest-debt-first",
        "The newest debt is repaid first.",
        "api/money/payments/sql/repay_debts.sql",
        "ORDER BY d.id FOR",
        "ORDER BY d.id DESC FOR",
        ("money/payments/test_debts.py::test_the_oldest_debt_is_repaid_first",),
    ),
    Fault(
        "told-before-repayment",
        "Cancelling an order returns the balance before the debt is repaid.",
        "api/money/wallet/sql/lock_wallet.sql",
        "  SET CONSTRAINTS repay_debts IMMEDIATE;\n",
        "",
        ("money/payments/test_debts.py::test_a_member_who_cancels_an_order_repays_with_it",),
    ),
    Fault(
        "limit-of-the-day-for-one",
        "One credit is held against the day's limit.",
        "api/money/wallet/service/operator_credits.py",
        "ApprovalReason.LIMIT: each_kobo > limit",
        "ApprovalReason.LIMIT: each_kobo > day_limit",
        (
            "money/wallet/test_operator_credits.py::test_below_and_at_the_limit_one_person_is_enough_above_it_and_for_oneself_not",
        ),
    ),
    Fault(
        "limit-reached-is-too-much",
        "An amount equal to the limit waits for a second person.",
        "api/money/wallet/service/operator_credits.py",
        "ApprovalReason.LIMIT: each_kobo > limit",
        "ApprovalReason.LIMIT: each_kobo >= limit",
        (
            "money/wallet/test_operator_credits.py::test_below_and_at_the_limit_one_person_is_enough_above_it_and_for_oneself_not",
        ),
    ),
    Fault(
        "day-without-this-one",
        "The day's sum omits the requested amount.",
        "api/money/wallet/service/operator_credits.py",
        "together > 0 and day + together > day_limit",
        "together > 0 and day > day_limit",
        (
            "money/wallet/test_operator_credits.py::test_credits_of_one_day_add_up_and_the_next_day_starts_at_zero",
        ),
    ),
    Fault(
        "refunds-fill-the-day",
        "Refunds count for the day of credits.",
        "api/money/wallet/repository/operator_credits.py",
        "CASE WHEN c.kind IN ('refund', 'cancellation') THEN 0",
        "CASE WHEN c.kind IN ('gift') THEN 0",
        ("money/wallet/test_operator_credits.py::test_all_ways_but_refunds_share_one_day",),
    ),
    Fault(
        "approved-fills-the-day",
        "An approved credit counts towards the proposer's day.",
        "api/money/wallet/repository/operator_credits.py",
        "AND c.created_at >= $2 AND c.approval_id IS NULL",
        "AND c.created_at >= $2",
        (
            "money/wallet/test_operator_credits.py::test_the_day_is_that_of_lagos_and_approved_credits_count_towards_no_day",
        ),
    ),
    Fault(
        "day-of-all-operators",
        "All operators share one day.",
        "api/money/wallet/repository/operator_credits.py",
        " WHERE c.initiator_id = $1 AND",
        " WHERE $1::uuid IS NOT NULL AND",
        (
            "money/wallet/test_operator_credits.py::test_credits_of_one_day_add_up_and_the_next_day_starts_at_zero",
        ),
    ),
    Fault(
        "surplus-counts-twice",
        "A surplus counts when it is confirmed and again when it is accepted.",
        "api/shop/service/confirming.py",
        "CountedAmounts(checked, checked - for_review, is_own_product)",
        "CountedAmounts(checked, checked, is_own_product)",
        (
            "money/wallet/test_operator_credits.py::test_a_transfer_counts_with_its_surplus_which_counts_once_when_accepted",
        ),
    ),
    Fault(
        "surplus-unchecked",
        "A surplus of any size is confirmed alone.",
        "api/shop/service/confirming.py",
        "amount_kobo if is_own_product or not is_kept else for_review",
        "amount_kobo if is_own_product or not is_kept else 0",
        (
            "money/wallet/test_operator_credits.py::test_a_transfer_counts_with_its_surplus_which_counts_once_when_accepted",
        ),
    ),
    Fault(
        "late-transfer-unchecked",
        "A late transfer that goes to the wallet counts as if it paid the order.",
        "api/shop/service/confirming.py",
        "amount_kobo if is_own_product or not is_kept else for_review",
        "amount_kobo if is_own_product else for_review",
        (
            "money/wallet/test_operator_credits.py::test_below_and_at_the_limit_one_person_is_enough_above_it_and_for_oneself_not",
        ),
    ),
    Fault(
        "own-product-forgotten",
        "An operator who created a product confirms its price alone.",
        "api/shop/service/confirming.py",
        "amount_kobo if is_own_product or not is_kept else for_review",
        "amount_kobo if not is_kept else for_review",
        (
            "money/wallet/test_operator_credits.py::test_a_lone_operator_with_the_shops_rights_cannot_make_money",
        ),
    ),
    Fault(
        "unlikely-by-one",
        "An amount that is unlikely is confirmed by one person who enters it twice.",
        "api/shop/service/confirming.py",
        "    if is_unlikely:\n        reasons.append(ApprovalReason.UNLIKELY)\n",
        "",
        (
            "money/wallet/test_operator_credits.py::test_an_unlikely_amount_is_entered_twice_and_needs_a_second_person",
        ),
    ),
    Fault(
        "unlikely-once",
        "An amount that is unlikely is entered once.",
        "api/shop/service/confirming.py",
        "if is_unlikely and wanted.confirm_amount != wanted.amount:",
        "if is_unlikely and wanted.confirm_amount is None:",
        (
            "money/wallet/test_operator_credits.py::test_an_unlikely_amount_is_entered_twice_and_needs_a_second_person",
        ),
    ),
    Fault(
        "confirming-without-end",
        "Confirmed transfers have no day limit.",
        "api/money/wallet/service/operator_credits.py",
        "self.confirmed + confirmed_kobo > self.limits.confirm_day_limit",
        "confirmed_kobo > self.limits.confirm_day_limit",
        (
            "money/wallet/test_operator_credits.py::test_confirmed_transfers_of_a_day_have_a_limit_even_if_orders_are_paid_exactly",
        ),
    ),
    Fault(
        "owner-approves",
        "The owner of a credit approves it.",
        "api/backoffice/oversight/service/approvals.py",
        "        raise OwnProposalError\n    # Both people",
        "        pass\n    # Both people",
        (
            "money/wallet/test_operator_credits.py::test_a_proposal_is_executed_once_by_another_operator_and_not_by_its_owner",
        ),
    ),
    Fault(
        "changed-unweighed",
        "A changed proposal keeps its old reasons.",
        "api/backoffice/oversight/repository/approvals.py",
        "reason = $4, reasons = $5, expires_at",
        "reason = $4, reasons = coalesce(reasons, $5), expires_at",
        ("money/wallet/test_operator_credits.py::test_a_changed_adjustment_shows_its_new_reasons",),
    ),
    Fault(
        "owner-counts-as-another",
        "A proposal is accepted though only its owner could decide it.",
        "api/foundation/approvals/repository.py",
        " AND o.user_id <> ALL ($3::uuid[])",
        " AND $3::uuid[] IS NOT NULL",
        (
            "money/wallet/test_operator_credits.py::test_a_proposal_is_executed_once_by_another_operator_and_not_by_its_owner",
        ),
    ),
    Fault(
        "second-account-of-an-address",
        "A domain in capitals makes another account, whose credits are not own ones.",
        "api/foundation/wire/emails.py",
        'f"{local}@{domain}".lower()',
        'f"{local.lower()}@{domain}"',
        ("foundation/wire/test_emails.py::test_every_spelling_of_an_address_is_one_text",),
    ),
    Fault(
        "gift-of-one-period",
        "A gift of several periods counts with one.",
        "api/money/subscriptions/service/giving.py",
        "Kobo(plan.amount_kobo * periods)",
        "Kobo(plan.amount_kobo * min(1, periods))",
        (
            "money/wallet/test_operator_credits.py::test_a_gift_counts_with_all_its_periods_and_each_of_many_with_the_others",
        ),
    ),
    Fault(
        "gift-that-refunds",
        "The refund of a plan that a gift replaces does not count.",
        "api/money/subscriptions/service/giving.py",
        "[await unused(tx, period, now) for period in replaced]",
        "[]",
        (
            "money/wallet/test_operator_credits.py::test_a_gift_counts_with_the_refund_of_the_plan_that_it_replaces",
        ),
    ),
    Fault(
        "gifts-count-as-one",
        "Many gifts at once count as one for the day.",
        "api/money/subscriptions/service/giving.py",
        "together_kobo=len(user_ids) * worth + sum(returned)",
        "together_kobo=worth + sum(returned)",
        (
            "money/wallet/test_operator_credits.py::test_a_gift_counts_with_all_its_periods_and_each_of_many_with_the_others",
        ),
    ),
    Fault(
        "ledger-without-a-name",
        "The ledger posts operator credits without a record.",
        "api/money/wallet/sql/post_wallet_transfer.sql",
        "AND NOT EXISTS (SELECT FROM operator_credit",
        "AND p_change = 0 AND NOT EXISTS (SELECT FROM operator_credit",
        (
            "money/wallet/test_operator_credits.py::test_the_ledger_refuses_operator_credits_without_a_record",
        ),
    ),
    Fault(
        "limits-raised-by-one",
        "One owner raises a limit.",
        "api/backoffice/oversight/service/settings.py",
        'if name.endswith("_limit") and value > getattr(before, name)',
        'if name.endswith("_limit") and value < 0',
        ("backoffice/oversight/test_settings.py::test_no_limit_is_raised_by_one_person",),
    ),
    Fault(
        "a-limit-is-forgotten",
        "Limits other than day limits are raised by one owner.",
        "api/backoffice/oversight/service/settings.py",
        'if name.endswith("_limit") and value > getattr(before, name)',
        'if name.endswith("_day_limit") and value > getattr(before, name)',
        ("backoffice/oversight/test_settings.py::test_no_limit_is_raised_by_one_person",),
    ),
)
BANK = (
    Fault(
        "line-of-another-day",
        "A transfer is found in a line of another week.",
        "api/shop/repository/bank_statements.py",
        "abs(paid_on - booked_on) <= {MATCH_DAYS}",
        "abs(paid_on - booked_on) <= 30",
        (
            "shop/test_bank.py::test_another_amount_or_day_is_no_match_and_another_reference_is_for_a_person",
        ),
    ),
    Fault(
        "one-of-several-lines",
        "Of two lines that could be one transfer, one is matched.",
        "api/shop/repository/bank_statements.py",
        "c.transfers = 1 AND c.lines = 1",
        "c.transfers = 1 AND c.lines >= 1",
        ("shop/test_bank.py::test_two_lines_that_could_be_one_transfer_are_decided_by_a_person",),
    ),
    Fault(
        "any-word-is-a-reference",
        "Every word of the bank is treated as a reference.",
        "api/shop/service/statement_file.py",
        "len(word) >= MIN_EMBEDDED_LENGTH and any(sign.isdigit() for sign in word)",
        "len(word) >= 1",
        ("shop/test_bank.py::test_a_word_is_no_reference",),
    ),
    Fault(
        "equal-lines-are-one",
        "Of equal lines in a statement one is kept.",
        "api/shop/service/statement_file.py",
        "seen[read] += 1",
        "seen[read] = 1",
        ("shop/test_bank.py::test_the_nth_equal_line_is_the_same_line_in_every_statement",),
    ),
    Fault(
        "matching-by-import-alone",
        "A confirmed transfer does not look for its line.",
        "api/shop/service/confirming.py",
        "    await match_lines(tx, [receipt.amount_kobo], now)\n",
        "",
        ("shop/test_bank.py::test_a_line_and_a_transfer_meet_whichever_comes_first",),
    ),
    Fault(
        "matching-without-a-lock",
        "An import and a confirmation do not see each other.",
        "api/shop/repository/bank_statements.py",
        "SELECT pg_advisory_xact_lock($1)",
        "SELECT $1::bigint",
        ("shop/test_bank.py::test_a_confirmation_finds_the_line_of_an_import_that_is_under_way",),
    ),
    Fault(
        "buyer-matches",
        "Operators match a transfer of their own order by hand.",
        "api/shop/service/bank_lines.py",
        "admin.operator.user_id == transfer.user_id",
        "admin.operator.id == transfer.user_id",
        ("shop/test_bank.py::test_operators_cannot_match_a_transfer_of_their_own_order",),
    ),
    Fault(
        "proof-without-the-bank",
        "A transfer that the bank never saw passes the proof.",
        "api/money/ledger_audit/repository/checks.py",
        "::date - 7\n",
        "::date - 700\n",
        ("shop/test_bank.py::test_the_proof_finds_a_transfer_that_the_bank_never_saw",),
    ),
)
FAULTS: tuple[Fault, ...] = (
    *LEDGER,
    *SHOP,
    *REFUNDS,
    *PAYMENTS,
    *PLANS,
    *BACK_OFFICE,
    *RECEIPTS_AND_PROOFS,
    *KEYS,
    *TRUST,
    *BANK,
)
