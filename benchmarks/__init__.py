"""Measurements: each module prints a table and what it is compared with. `make bench NAME=<module> [FILE=<data>]`."""
