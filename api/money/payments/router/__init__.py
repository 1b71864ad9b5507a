from api.money.payments.router.admin import back_office
from api.money.payments.router.members import LOAD_CLASSES, router

router.routes.extend(back_office.routes)

__all__ = ["LOAD_CLASSES", "router"]
