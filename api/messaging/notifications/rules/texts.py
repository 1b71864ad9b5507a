"""The texts of each kind of notification, with ``{name}`` for a fact."""

from collections.abc import Mapping
from dataclasses import dataclass

from api.messaging.notifications.enums import NotificationCause, NotificationGroup, NotificationKind

WALLET, PLANS = "/wallet", "/subscriptions"
ORDER = "/shopping/{order_id}"
CHATS, BOARD, QUEST = "/chats", "/leaderboard", "/trivia-questions"
TOP = 50  # places of a club; who loses theirs is notified


@dataclass(frozen=True)
class NotificationText:
    """A kind's texts: ``{name}`` stands for a fact; ``link`` is a path of the web app."""

    group: NotificationGroup
    title: str
    body: str
    link: str


def _money(title: str, body: str, link: str = WALLET) -> NotificationText:
    return NotificationText(NotificationGroup.MONEY, title, body, link)


def _orders(title: str, body: str, link: str = ORDER) -> NotificationText:
    return NotificationText(NotificationGroup.ORDERS, title, body, link)


def _plans(title: str, body: str, link: str = PLANS) -> NotificationText:
    return NotificationText(NotificationGroup.PLANS, title, body, link)


def _community(title: str, body: str, link: str) -> NotificationText:
    return NotificationText(NotificationGroup.COMMUNITY, title, body, link)


def _games(title: str, body: str, link: str) -> NotificationText:
    return NotificationText(NotificationGroup.GAMES, title, body, link)


TEXTS: Mapping[NotificationKind, NotificationText] = {
    NotificationKind.WALLET_CREDITED: _money(
        "{amount} is in your wallet", "Your wallet has been credited with {amount}."
    ),
    NotificationKind.WALLET_ADJUSTED: _money(
        "Your wallet was adjusted", "Our team changed your wallet balance by {change}."
    ),
    NotificationKind.REFUND_SENT: _money(
        "{amount} was refunded", "{amount} for {bought} is back in your wallet."
    ),
    NotificationKind.ORDER_PAID: _orders(
        "Order {number} is paid", "We have received {amount} and are preparing your order."
    ),
    NotificationKind.ORDER_SHIPPED: _orders(
        "Order {number} is on its way", "Your order has been shipped."
    ),
    NotificationKind.ORDER_DELIVERED: _orders(
        "Order {number} was delivered", "Your order has arrived. Enjoy it!"
    ),
    NotificationKind.ORDER_CANCELLED: _orders(
        "Order {number} was cancelled", "Anything you paid for it is returned to your wallet."
    ),
    NotificationKind.ORDER_EXPIRING: _orders(
        "Pay for order {number} soon",
        "We keep your order until {pay_by}. Upload your proof of payment before then.",
    ),
    NotificationKind.ORDER_EXPIRED: _orders(
        "Order {number} has expired",
        "We could not confirm a payment in time, so your order has expired. Money that arrives "
        "later pays for it or goes to your wallet.",
    ),
    NotificationKind.PROOF_REJECTED: _orders(
        "Your proof for order {number} was not accepted", "{reason}"
    ),
    NotificationKind.TRANSFER_SHORT: _orders(
        "Order {number} still needs {missing}",
        "We received {received}. Transfer the missing {missing} to complete your order.",
    ),
    NotificationKind.TRANSFER_LATE: _orders(
        "Your transfer for order {number} arrived late",
        "We could not keep the order, so {amount} is in your wallet.",
    ),
    NotificationKind.PLAN_ENDING: _plans(
        "{plan} ends soon", "Your plan ends on {ends_at}. Renew it to keep it."
    ),
    NotificationKind.PLAN_RENEWING: _plans(
        "{plan} renews soon", "Your plan renews on {ends_at} for {amount} from your wallet."
    ),
    NotificationKind.PLAN_FUND_TO_KEEP: _plans(
        "Fund your wallet to keep {plan}",
        "{missing} is missing in your wallet to renew your plan on {ends_at}.",
        WALLET,
    ),
    NotificationKind.PLAN_RENEWED: _plans(
        "{plan} was renewed", "We took {amount} from your wallet. Your plan runs until {ends_at}."
    ),
    NotificationKind.PLAN_GRACE: _plans(
        "{plan} could not be renewed",
        "Your wallet does not hold {amount}. Fund it by {grace_ends_at} to keep your plan.",
        WALLET,
    ),
    NotificationKind.PLAN_ENDED: _plans(
        "{plan} has ended", "Your plan ended on {ends_at}. Subscribe to come back."
    ),
    NotificationKind.PLAN_GIFT: _plans(
        "You've been given {plan}", "It is free for you until {ends_at}. Enjoy it!"
    ),
    NotificationKind.PLAN_PRICE_CHANGED: _plans(
        "The price of {plan} is changing",
        "{plan} costs {amount} from {changes_at}. Your current period is not affected.",
    ),
    NotificationKind.CHAT_MUTED: _community(
        "You cannot write in the chat for now",
        "A moderator has muted you until {until}.",
        "/chats",
    ),
    NotificationKind.CHAT_BANNED: _community(
        "You cannot enter the chat for now",
        "A moderator has blocked you from the chat until {until}.",
        "/chats",
    ),
    NotificationKind.MOMENT_HIDDEN: _community(
        "Your moment was hidden",
        "“{moment}” is hidden from everybody. Our moderators decide whether it is shown again.",
        "/posts",
    ),
    NotificationKind.CLUB_CHANGED: _community(
        "You are a member of {club} now", "Our team has changed your club. Welcome to {club}!", "/"
    ),
    # The author's account may be deleted one day: their name is not stored in others' rows.
    NotificationKind.REPLY: _community(
        "Somebody answered you in {club}", "Open the chat to read the answer.", CHATS
    ),
    NotificationKind.MENTION: _community(
        "Somebody mentioned you in {club}", "Open the chat to read what they wrote.", CHATS
    ),
    NotificationKind.PROMOTION: _games(
        "You are now {rank}", "Your battle points have lifted your rank.", "/points"
    ),
    NotificationKind.QUEST_OPEN: _games(
        "Today's quest is open", "Answer today's questions before midnight.", QUEST
    ),
    NotificationKind.OVERTAKEN: _games(
        f"You left the top {TOP} of {{club}}", "Others have passed you. Play to come back.", BOARD
    ),
    NotificationKind.FIXTURE_SOON: NotificationText(
        NotificationGroup.MATCHES,
        "{home} against {away} kicks off soon",
        "Kick-off is on {kick_off_at}.",
        "/match/{fixture_id}",
    ),
}
# A kind's more specific texts, by the fact ``cause``.
CAUSED_TEXTS: Mapping[tuple[NotificationKind, NotificationCause], NotificationText] = {
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.CHARGEBACK): _money(
        "{amount} was charged back",
        "Your bank or card provider took back {amount} that you had paid. "
        "We took it from your wallet.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.SHORT_CHARGEBACK): _money(
        "{amount} was charged back",
        "Your bank or card provider took back {amount} that you had paid. "
        "Your wallet covered {taken}. "
        "You now owe {owed}; the next money that comes into your wallet repays it.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.DEBT_COLLECTED): _money(
        "{taken} was used to repay your debt",
        "We took {taken} from your wallet. You still owe {owed}.",
    ),
    (NotificationKind.WALLET_CREDITED, NotificationCause.DEBT_REPAID): _money(
        "{amount} came into your wallet",
        "{repaid} of it repaid what you owed. You still owe {owed}.",
    ),
    (NotificationKind.WALLET_ADJUSTED, NotificationCause.DEBT_REPAID): _money(
        "Your wallet was adjusted",
        "Our team changed your wallet balance by {change}. {repaid} of it repaid what you owed. "
        "You still owe {owed}.",
    ),
    (NotificationKind.REFUND_SENT, NotificationCause.DEBT_REPAID): _money(
        "{amount} was refunded",
        "{repaid} of the {amount} for {bought} repaid what you owed. You still owe {owed}.",
    ),
    (NotificationKind.TRANSFER_LATE, NotificationCause.DEBT_REPAID): _orders(
        "Your transfer for order {number} arrived late",
        "We could not keep the order. {repaid} of the {amount} repaid what you owed. "
        "You still owe {owed}.",
    ),
}
