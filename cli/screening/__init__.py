"""Judges a table: a case in each row, a fact in each column, batch by batch."""
