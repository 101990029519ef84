"""Bots: what their authors import, how they are found, asked and checked."""
