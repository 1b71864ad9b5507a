"""HTTP calls of the shop."""

from api.shop.router import bank, members, shelf
from api.shop.router.desk import back_office
from api.shop.router.members import router

BODY_LIMITS = members.BODY_LIMITS | shelf.BODY_LIMITS | bank.BODY_LIMITS

router.routes.extend(back_office.routes)
router.routes.extend(shelf.back_office.routes)
router.routes.extend(bank.back_office.routes)

__all__ = ["BODY_LIMITS", "router"]
