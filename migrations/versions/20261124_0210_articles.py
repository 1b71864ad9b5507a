"""Articles."""

import sqlalchemy as sa
from alembic import op

revision = "20261124_0210"
down_revision = "20261124_0200"
branch_labels = None
depends_on = None

OUT = sa.text("stage = 'published'")


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_table(
        "article",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("club_id", sa.Uuid(), nullable=True),
        sa.Column("picture", sa.String(), nullable=True),
        sa.Column("stage", sa.String(length=32), nullable=False),
        sa.Column("publish_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("first_published_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), server_default=sa.text("1"), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "stage IN ('draft', 'published', 'withdrawn')", name=op.f("ck_article_article_stage")
        ),
        sa.CheckConstraint(
            "stage <> 'published' OR publish_at IS NOT NULL",
            name=op.f("ck_article_published_at_time"),
        ),
        sa.CheckConstraint(
            "slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'", name=op.f("ck_article_slug_is_slug")
        ),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=op.f("fk_article_club_id_club")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_article")),
        sa.UniqueConstraint("slug", name=op.f("uq_article_slug")),
    )
    op.create_index(
        "ix_article_club_id_published",
        "article",
        ["club_id", "publish_at", "id"],
        postgresql_where=OUT,
    )
    op.create_index("ix_article_publish_at", "article", ["publish_at"], postgresql_where=OUT)
    op.create_index("ix_article_stage", "article", ["stage", "id"])
    op.create_index(
        "ix_article_picture",
        "article",
        ["picture"],
        postgresql_where=sa.text("picture IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.drop_table("article")
