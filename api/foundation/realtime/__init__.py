"""Sockets: one engine for all namespaces, its connections, and members' namespaces on top.

Words: *connection* (one client of the engine, whatever it joins), *namespace* (one subject on a
connection), *room* (the sockets that receive an event), *packet* (what is sent over a connection).
"""
