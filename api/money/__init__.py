"""The wallet and everything that moves money through it."""
