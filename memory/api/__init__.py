"""REST over the memory services: parse, place, call one service, render."""
