"""Leads calls of the payment provider's address to the imitated one, at PROVIDER_PORT.

Python loads this by itself in a process that has this folder on its path. Production speaks to one
address only; what is bent here is the wire to it, and nothing of the product.
"""

import os

import httpx

PROVIDER = "api.paystack.co"
send = httpx.AsyncHTTPTransport.handle_async_request


async def send_to_the_imitated_one(
    transport: httpx.AsyncHTTPTransport, request: httpx.Request
) -> httpx.Response:
    """Send a request, the provider's to this machine."""
    if request.url.host == PROVIDER:
        port = int(os.environ["PROVIDER_PORT"])
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=port)
    return await send(transport, request)


httpx.AsyncHTTPTransport.handle_async_request = send_to_the_imitated_one  # type: ignore[method-assign,assignment] # that is what it is for
