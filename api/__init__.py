"""King of Fans: the server."""
