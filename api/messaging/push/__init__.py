"""Push: delivers notifications to members' browsers while the app is closed.

Words: *subscription* (one browser's address at its push service, with the keys that messages are
encrypted for), *delivery* (one notification on its way to one subscription).
"""
