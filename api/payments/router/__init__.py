"""HTTP calls of payments."""

from api.payments.router.desk import back_office
from api.payments.router.members import router

router.routes.extend(back_office.routes)

__all__ = ["router"]
