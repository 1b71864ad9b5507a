"""Moments, sealed profile details, recognisable sessions, and records that name nobody."""

import sqlalchemy as sa
from alembic import op

revision = "20261121_1400"
down_revision = "20261121_1330"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.create_table(
        "moment",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("thumbnail_key", sa.String(), nullable=False),
        sa.Column("video_key", sa.String(), nullable=False),
        sa.Column("video_type", sa.String(), nullable=False),
        sa.Column("video_bytes", sa.Integer(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint("title <> ''", name=op.f("ck_moment_title_not_blank")),
        sa.CheckConstraint(
            "video_bytes BETWEEN 1 AND 4194304", name=op.f("ck_moment_video_in_range")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_moment_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moment")),
        sa.UniqueConstraint("thumbnail_key", name=op.f("uq_moment_thumbnail_key")),
        sa.UniqueConstraint("video_key", name=op.f("uq_moment_video_key")),
    )
    op.create_index("ix_moment_user_id_id", "moment", ["user_id", "id"], unique=False)
    op.create_table(
        "private_detail",
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("settlement", sa.LargeBinary(), nullable=True),
        sa.Column("next_of_kin", sa.LargeBinary(), nullable=True),
        sa.Column(
            "changed_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["user_account.id"], name=op.f("fk_private_detail_user_id_user_account")
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_private_detail")),
    )
    op.add_column("session", sa.Column("device", sa.String(), nullable=True))
    op.add_column(
        "session",
        sa.Column(
            "last_seen_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
    )
    op.add_column("user_account", sa.Column("erased_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_user_account_avatar",
        "user_account",
        ["avatar"],
        unique=False,
        postgresql_where=sa.text("avatar IS NOT NULL"),
    )


def downgrade() -> None:
    op.execute("SET lock_timeout = '2s'")
    op.drop_index(
        "ix_user_account_avatar",
        table_name="user_account",
        postgresql_where=sa.text("avatar IS NOT NULL"),
    )
    op.drop_column("user_account", "erased_at")
    op.drop_column("session", "last_seen_at")
    op.drop_column("session", "device")
    op.drop_table("private_detail")
    op.drop_index("ix_moment_user_id_id", table_name="moment")
    op.drop_table("moment")
