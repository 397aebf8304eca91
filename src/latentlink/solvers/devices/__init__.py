"""Descent on the devices of array libraries, such as GPUs; none is imported before it is asked for."""
