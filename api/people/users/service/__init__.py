"""The member record: accounts, profiles and suspension."""
