"""Push: members' browsers told what their notifications say, while the app is closed.

Words: *subscription* (one browser's address at its push service, with the keys that messages are
sealed for), *delivery* (one notification on its way to one subscription).
"""
