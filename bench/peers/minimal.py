"""The framework's minimum: one FastAPI route with a response model and nothing else."""

from fastapi import FastAPI
from pydantic import BaseModel


class Health(BaseModel):
    """The response."""

    status: str


app = FastAPI()


@app.get("/healthz")
async def healthz() -> Health:
    """Answer."""
    return Health(status="alive")
