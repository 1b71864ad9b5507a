"""The fake push service as one ASGI app that can be mounted under any path."""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from api.dev.sandbox.push.boxes import Boxes, BrowserBox, UnreadableError

ANSWERS = frozenset({201, 404, 410, 429, 500, 503})
MAX_BODY_BYTES = 4096  # push services must accept this much, and the largest accept no more
RETRY_AFTER_SECONDS = 1
Answer = Callable[[Request, BrowserBox], Awaitable[Response]]


def create_push_sandbox(boxes: Boxes, public_url: str) -> Starlette:
    """Return the service; ``public_url`` is where it is mounted."""

    def of_box(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            box = boxes.find(request.path_params["box"])
            return _refuse("no such box", 404) if box is None else await answer(request, box)

        return handle

    async def make(_request: Request) -> JSONResponse:
        box = boxes.make()
        content = {
            "box": box.name,
            "endpoint": f"{public_url}/boxes/{box.name}/messages",
            "keys": box.keys,
        }
        return JSONResponse(content, 201)

    return Starlette(
        routes=[
            Route("/boxes", make, methods=["POST"]),
            Route("/boxes/{box}", of_box(_read), methods=["GET"]),
            Route("/boxes/{box}", of_box(_change), methods=["PUT"]),
            Route("/boxes/{box}/messages", of_box(_take), methods=["POST"]),
        ]
    )


async def _read(_request: Request, box: BrowserBox) -> Response:
    """Return the decrypted messages of the box, in order."""
    return JSONResponse(box.messages())


async def _change(request: Request, box: BrowserBox) -> Response:
    """Set the status that the box answers with: ``{answer}``."""
    try:
        status = (await request.json())["answer"]
    except (ValueError, KeyError, TypeError):
        status = None
    if type(status) is not int or status not in ANSWERS:  # rejects True and 201.0
        return _refuse(f"answer is one of {sorted(ANSWERS)}", 422)
    box.answer_with(status)
    return JSONResponse({"answer": status})


async def _take(request: Request, box: BrowserBox) -> Response:
    """Receive a message as a push service does: signed, encrypted, with a time to live."""
    if not request.headers.get("authorization", "").startswith("vapid t="):
        return _refuse("no signature", 401)
    if request.headers.get("content-encoding") != "aes128gcm":
        return _refuse("not sealed", 415)
    ttl, body = request.headers.get("ttl", ""), await request.body()
    if not ttl.isdigit() or len(body) > MAX_BODY_BYTES:
        return _refuse("no time to live, or too large", 400)
    status = box.answer
    if status != 201:
        headers = {"Retry-After": str(RETRY_AFTER_SECONDS)} if status == 429 else {}
        return Response(status_code=status, headers=headers)
    try:
        box.store(body, int(ttl))
    except UnreadableError:
        return _refuse("sealed for another browser", 400)
    return Response(status_code=201)


def _refuse(reason: str, status: int) -> JSONResponse:
    return JSONResponse({"error": reason}, status)
