from api.shop.router import bank, catalog_admin, members
from api.shop.router.admin import back_office
from api.shop.router.members import router

BODY_LIMITS = members.BODY_LIMITS | catalog_admin.BODY_LIMITS | bank.BODY_LIMITS
LOAD_CLASSES = members.LOAD_CLASSES

router.routes.extend(back_office.routes)
router.routes.extend(catalog_admin.back_office.routes)
router.routes.extend(bank.back_office.routes)

__all__ = ["BODY_LIMITS", "LOAD_CLASSES", "router"]
