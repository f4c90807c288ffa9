"""The REST door: how a request is authenticated, placed, checked and answered, the same on every route."""
