"""The whole application: routes, services, processes, and the vendors behind the domains' ports."""
