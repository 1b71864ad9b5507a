"""The peer on Django REST framework: the same rows behind the same token."""

import os

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["*"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": os.environ["PGDATABASE"],
            "USER": os.environ["PGUSER"],
            "PASSWORD": os.environ["PGPASSWORD"],
            "HOST": os.environ["PGHOST"],
            "PORT": os.environ["PGPORT"],
            "CONN_MAX_AGE": None,
        }
    },
    INSTALLED_APPS=["rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware"],
    REST_FRAMEWORK={"UNAUTHENTICATED_USER": None},
    ROOT_URLCONF="bench.peers.drf",
    SECRET_KEY=os.environ["TOKEN_KEY"],
    USE_TZ=True,
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402 - needs the settings above
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402
from jose import jwt  # noqa: E402
from rest_framework import serializers  # noqa: E402
from rest_framework.authentication import BaseAuthentication  # noqa: E402
from rest_framework.exceptions import AuthenticationFailed  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework.views import APIView  # noqa: E402


class Wallet(models.Model):
    """The row with a balance."""

    id = models.UUIDField(primary_key=True)
    owner_id = models.UUIDField()
    balance_kobo = models.BigIntegerField()

    class Meta:
        """Our table."""

        app_label, managed, db_table = "bench", False, "ledger_account"


class Debt(models.Model):
    """The rows of what a member owes."""

    id = models.UUIDField(primary_key=True)
    user_id = models.UUIDField()
    left_kobo = models.BigIntegerField()
    state = models.TextField()

    class Meta:
        """Our table."""

        app_label, managed, db_table = "bench", False, "debt"


class Product(models.Model):
    """A row of the products."""

    id = models.UUIDField(primary_key=True)
    name = models.TextField()
    price_kobo = models.BigIntegerField()
    description = models.TextField()
    image = models.TextField()
    thumbnail = models.TextField()
    star = models.SmallIntegerField()
    position = models.IntegerField()
    hidden = models.BooleanField()

    class Meta:
        """Our table."""

        app_label, managed, db_table = "bench", False, "product"


class Variant(models.Model):
    """A row of the products' sizes."""

    id = models.UUIDField(primary_key=True)
    product = models.ForeignKey(Product, models.DO_NOTHING, related_name="sizes")
    size = models.TextField(null=True)
    is_default = models.BooleanField()
    hidden = models.BooleanField()
    position = models.IntegerField()
    stock = models.IntegerField()
    allocated = models.IntegerField()

    class Meta:
        """Our table."""

        app_label, managed, db_table = "bench", False, "product_variant"


class ProductSerializer(serializers.ModelSerializer):
    """The fields that our API returns."""

    price = serializers.SerializerMethodField()
    available = serializers.SerializerMethodField()
    variants = serializers.SerializerMethodField()

    class Meta:
        """Fields."""

        model = Product
        fields = (
            *("id", "name", "price", "description", "image", "thumbnail", "star", "available"),
            "variants",
        )

    def get_price(self, product: Product) -> float:
        """Naira."""
        return product.price_kobo / 100

    def get_available(self, product: Product) -> int:
        """At most 99."""
        return min(sum(one.stock - one.allocated for one in product.sizes.all()), 99)

    def get_variants(self, product: Product) -> list[dict[str, object]]:
        """Sizes only: a product without any has one row as well."""
        return [
            {
                "id": one.id,
                "size": one.size,
                "available": min(one.stock - one.allocated, 99),
                "isDefault": one.is_default,
            }
            for one in product.sizes.all()
            if one.size is not None
        ]


class TokenAuthentication(BaseAuthentication):
    """Checks our token."""

    def authenticate(self, request: object) -> tuple[str, None]:
        """Return the member's id."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer":
            raise AuthenticationFailed
        claims = jwt.decode(
            token,
            os.environ["TOKEN_KEY"],
            algorithms=["HS256"],
            audience="fanclub-api",
            issuer="king-of-fans",
        )
        return claims["sub"], None


class Health(APIView):
    """Reports that the server is alive."""

    def get(self, _request: object) -> Response:
        """Answer."""
        return Response({"status": "alive"})


class Balance(APIView):
    """What one member has and owes."""

    authentication_classes = (TokenAuthentication,)

    def get(self, request: object, user_id: str) -> Response:
        """Respond with two numbers."""
        if request.user != user_id:
            return Response(status=404)
        wallet = Wallet.objects.only("balance_kobo").get(owner_id=user_id)
        owed = Debt.objects.filter(user_id=user_id, state="open").aggregate(
            kobo=models.Sum("left_kobo")
        )
        data = {"balance": wallet.balance_kobo / 100, "debt": (owed["kobo"] or 0) / 100}
        return Response({"status": 200, "message": "OK", "data": data})


class Products(APIView):
    """All products."""

    authentication_classes = (TokenAuthentication,)

    def get(self, _request: object) -> Response:
        """Respond with every row."""
        visible = Variant.objects.filter(hidden=False).order_by("position", "id")
        rows = (
            Product.objects.filter(hidden=False)
            .order_by("position", "id")
            .prefetch_related(models.Prefetch("sizes", visible))
        )
        data = ProductSerializer(rows, many=True).data
        return Response({"status": 200, "message": "OK", "data": data})


urlpatterns = [
    path("healthz", Health.as_view()),
    path("api/v1/payment/wallet-balance/<str:user_id>", Balance.as_view()),
    path("api/v1/products", Products.as_view()),
]
application = get_wsgi_application()
