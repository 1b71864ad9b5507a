"""HTTP routes of payments."""

from api.payments.router.admin import back_office
from api.payments.router.members import router

router.routes.extend(back_office.routes)

__all__ = ["router"]
