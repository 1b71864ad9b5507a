"""Routes whose dependencies are resolved in an order that was worked out once.

For each request the framework walks the tree of dependencies, asks of each function what kind it
is, and looks into query, headers and cookies for parameters that are not declared. Here that is
done when a route is declared, and a request only runs the steps. It applies to calls without a
body whose dependencies are coroutines; all other calls are left to the framework.
"""

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import Request, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import request_params_to_args
from fastapi.exceptions import RequestValidationError, ResponseValidationError
from fastapi.routing import APIRoute

Handler = Callable[[Request], Coroutine[Any, Any, Response]]
Received = Callable[[Request], Mapping[str, Any]]
_PLACES: tuple[tuple[str, Received], ...] = (
    ("query_params", lambda request: request.query_params),
    ("header_params", lambda request: request.headers),
)


@dataclass(frozen=True, slots=True)
class Step:
    """One function to call: with the results of earlier steps, parameters, and the request."""

    call: Callable[..., Awaitable[Any]]
    inputs: tuple[tuple[str, int], ...]  # a parameter's name, and the step that gives its value
    needs: frozenset[int]  # steps without which it is not called
    path: Sequence[Any]  # the fields of parameters in the path, which are always given
    parameters: tuple[tuple[Received, Sequence[Any]], ...]
    requests: tuple[str, ...]  # names of the parameters that take the request


class NotCompiledError(Exception):
    """A call needs something that only the framework can do."""


def compile_handler(route: APIRoute) -> Handler | None:
    """Return a handler that does the same as the framework's, None for a route it cannot serve."""
    field = route.response_field
    is_plain = (
        field is not None
        and route.body_field is None
        and isinstance(route.response_class, DefaultPlaceholder)
        and route.response_model_include is None
        and route.response_model_exclude is None
        and not route.response_model_exclude_unset
        and not route.response_model_exclude_defaults
        and not route.response_model_exclude_none
    )
    if field is None or not is_plain:
        return None
    try:
        *before, last = _steps(route.dependant)
    except NotCompiledError:
        return None
    status, by_alias = route.status_code or 200, route.response_model_by_alias

    async def handle(request: Request) -> Response:
        result = await last.call(**await _arguments(request, before, last))
        if isinstance(result, Response):
            return result
        value, errors = field.validate(result, {}, loc=("response",))
        if errors:
            raise ResponseValidationError(errors=errors, body=result)
        content = field.serialize_json(value, by_alias=by_alias)
        return Response(content, status_code=status, media_type="application/json")

    return handle


async def _arguments(request: Request, before: Sequence[Step], last: Step) -> dict[str, Any]:
    """Run the steps and return the arguments of the last one.

    As in the framework, every step runs whose own parameters and dependencies are valid, and all
    errors are reported together.

    Raises:
        RequestValidationError: a parameter is missing or invalid.
    """
    solved: list[Any] = []
    failed: set[int] = set()
    errors: list[Any] = []
    for step in before:
        known = len(errors)
        arguments = _read(step, request, solved, errors)
        if len(errors) > known or not failed.isdisjoint(step.needs):
            failed.add(len(solved))
            solved.append(None)
        else:
            solved.append(await step.call(**arguments))
    arguments = _read(last, request, solved, errors)
    if errors:
        raise RequestValidationError(errors)
    return arguments


def _read(step: Step, request: Request, solved: Sequence[Any], errors: list[Any]) -> dict[str, Any]:
    arguments = {name: solved[source] for name, source in step.inputs}
    for field in step.path:
        value = request.path_params[field.alias]
        value, invalid = field.validate(value, {}, loc=("path", field.alias))
        arguments[field.name] = value
        errors += invalid
    for received, fields in step.parameters:
        values, invalid = request_params_to_args(fields, received(request))
        arguments |= values
        errors += invalid
    for name in step.requests:
        arguments[name] = request
    return arguments


def _steps(dependant: Dependant) -> list[Step]:
    steps: list[Step] = []
    _add(dependant, steps, {})
    return steps


def _add(dependant: Dependant, steps: list[Step], known: dict[Any, int]) -> int:
    """Append the steps of a dependency, and return the number of its own.

    Raises:
        NotCompiledError: one of them is not a plain coroutine.
    """
    call = dependant.call
    if call is None or not _is_plain(dependant):
        raise NotCompiledError
    if dependant.use_cache and call in known:
        return known[call]
    inputs, needs = [], []
    for one in dependant.dependencies:
        source = _add(one, steps, known)
        needs.append(source)
        if one.name is not None:
            inputs.append((one.name, source))
    parameters = tuple(
        (received, fields) for place, received in _PLACES if (fields := getattr(dependant, place))
    )
    names = (dependant.http_connection_param_name, dependant.request_param_name)
    requests = tuple(name for name in names if name)
    path = tuple(dependant.path_params)
    steps.append(Step(call, tuple(inputs), frozenset(needs), path, parameters, requests))
    return known.setdefault(call, len(steps) - 1)


def _is_plain(dependant: Dependant) -> bool:
    call = dependant.call
    return (
        # A function, or an instance of a class with an asynchronous ``__call__``.
        (inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(type(call).__call__))
        and dependant.concurrency is None
        and not dependant.own_oauth_scopes
        and not (dependant.body_params or dependant.cookie_params)
        and not dependant.websocket_param_name
        and not dependant.response_param_name
        and not dependant.background_tasks_param_name
        and not dependant.security_scopes_param_name
    )
