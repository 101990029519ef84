"""Exact values: the best turn, perfect play for two, and what bots are worth against it."""
