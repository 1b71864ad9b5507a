"""Redirects calls to the payment provider's address to the sandbox at PROVIDER_PORT.

Python imports this automatically in a process with this folder on its path. Production allows only
one address; this changes the transport to it, and nothing of the product.
"""

import os

import httpx

PROVIDER = "api.paystack.co"
send = httpx.AsyncHTTPTransport.handle_async_request


async def send_to_the_imitated_one(
    transport: httpx.AsyncHTTPTransport, request: httpx.Request
) -> httpx.Response:
    """Send a request for the provider to this machine."""
    if request.url.host == PROVIDER:
        port = int(os.environ["PROVIDER_PORT"])
        request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=port)
    return await send(transport, request)


httpx.AsyncHTTPTransport.handle_async_request = send_to_the_imitated_one  # type: ignore[method-assign,assignment] # that is what it is for
