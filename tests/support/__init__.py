"""What the suite needs around it: real servers, one database per worker, a running platform."""
