from api.foundation.http.admission import LoadClass
from api.home.public.router import pages
from api.home.public.router.calls import router

LOAD_CLASSES = dict.fromkeys(pages.PREFIXES, LoadClass.READS)

router.routes.extend(pages.router.routes)

__all__ = ["LOAD_CLASSES", "router"]
