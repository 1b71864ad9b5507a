"""Addresses of preview pictures, which messengers show beside a link."""

from api.foundation.security.digests import content_version

PREVIEW = f"/og/home/page.jpg?v={content_version('1')}"
"""The picture of pages without their own; ``api.home.public`` draws it."""
