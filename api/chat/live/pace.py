"""How often what lives beside the sockets is looked at."""

ALIVE_SECONDS = 15.0  # how often a job says that it lives while nothing wakes it
