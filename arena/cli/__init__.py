"""The command line: the only room with click and tqdm."""
