"""HTTP routes of payments."""

from api.money.payments.router.admin import back_office
from api.money.payments.router.members import router

router.routes.extend(back_office.routes)

__all__ = ["router"]
