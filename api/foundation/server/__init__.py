"""The HTTP and socket server: uvicorn with timeouts for slow senders and a bounded shutdown."""
