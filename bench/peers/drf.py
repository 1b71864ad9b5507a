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


class Product(models.Model):
    """A row of the products."""

    id = models.UUIDField(primary_key=True)
    name = models.TextField()
    price_kobo = models.BigIntegerField()
    description = models.TextField()
    image = models.TextField()
    thumbnail = models.TextField()
    star = models.SmallIntegerField()
    stock = models.IntegerField()
    position = models.IntegerField()

    class Meta:
        """Our table."""

        app_label, managed, db_table = "bench", False, "product"


class ProductSerializer(serializers.ModelSerializer):
    """The fields that our API returns."""

    price = serializers.SerializerMethodField()
    available = serializers.SerializerMethodField()

    class Meta:
        """Fields."""

        model = Product
        fields = ("id", "name", "price", "description", "image", "thumbnail", "star", "available")

    def get_price(self, product: Product) -> float:
        """Naira."""
        return product.price_kobo / 100

    def get_available(self, product: Product) -> int:
        """At most 99."""
        return min(product.stock, 99)


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
    """One member's balance."""

    authentication_classes = (TokenAuthentication,)

    def get(self, request: object, user_id: str) -> Response:
        """Respond with one row."""
        if request.user != user_id:
            return Response(status=404)
        wallet = Wallet.objects.only("balance_kobo").get(owner_id=user_id)
        data = {"balance": wallet.balance_kobo / 100}
        return Response({"status": 200, "message": "OK", "data": data})


class Products(APIView):
    """All products."""

    authentication_classes = (TokenAuthentication,)

    def get(self, _request: object) -> Response:
        """Respond with every row."""
        rows = Product.objects.order_by("position", "id")
        data = ProductSerializer(rows, many=True).data
        return Response({"status": 200, "message": "OK", "data": data})


urlpatterns = [
    path("healthz", Health.as_view()),
    path("api/v1/payment/wallet-balance/<str:user_id>", Balance.as_view()),
    path("api/v1/products", Products.as_view()),
]
application = get_wsgi_application()
