"""The wallet: transfers, statements, adjustments and review cases."""
