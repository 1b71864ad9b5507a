"""Sockets: one engine for all namespaces, its connections, and members' namespaces on top.

Words: *connection* (one client of the engine, whatever it joins), *namespace* (one matter on it),
*room* (whose sockets hear an event), *packet* (what goes over a connection).
"""
