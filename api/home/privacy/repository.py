"""SQL over all tables with personal data."""

from typing import Any
from uuid import UUID

from api.foundation.database.database import Database, Transaction
from api.home.privacy.rules import PersonalTable


async def list_rows(
    database: Database, table: PersonalTable, user_id: UUID
) -> list[dict[str, Any]]:
    """Return a member's rows of one table as JSON, oldest key first."""
    hidden = ", ".join(f"'{column}'" for column in table.hidden)
    shown = ", ".join(f"'{column}', {value}" for column, value in table.shown.items())
    query = (
        f"SELECT to_jsonb(t) - ARRAY[{hidden}]::text[] || jsonb_build_object({shown}) AS content "  # noqa: S608 constants only
        f"FROM {table.name} t WHERE {table.whose} ORDER BY t"
    )
    return await database.fetch_column(query, user_id)


async def delete_rows(tx: Transaction, table: PersonalTable, user_id: UUID) -> None:
    await tx.execute(f"DELETE FROM {table.name} WHERE {table.whose}", user_id)  # noqa: S608 constants only


async def change_cleared(tx: Transaction, table: PersonalTable, user_id: UUID) -> None:
    """Clear the personal columns of a member's rows of one table."""
    values = ", ".join(f"{column} = {value}" for column, value in table.cleared.items())
    await tx.execute(f"UPDATE {table.name} SET {values} WHERE {table.whose}", user_id)  # noqa: S608 constants only
