"""Measurements: nothing here is asserted, and every ratio is between things measured in one run."""
