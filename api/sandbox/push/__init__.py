"""An imitated push service, and the browsers that listen to it, for development and tests."""
