"""The tables, as numbered migrations: the n-th script leads from version n - 1 to version n."""

from __future__ import annotations

from typing import Final

APPLICATION_ID: Final = 0x31306B64
"""Marks an SQLite file as ours (`PRAGMA application_id`)."""

MIGRATIONS: Final = (
    """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        info TEXT NOT NULL,                   -- JSON of RunInfo
        finished TEXT NOT NULL DEFAULT ''
    );
    CREATE TABLE rulesets (
        key TEXT PRIMARY KEY,
        ruleset TEXT NOT NULL                 -- JSON of Ruleset
    );
    CREATE TABLE bots (
        key TEXT PRIMARY KEY,
        spec TEXT NOT NULL,                   -- JSON of BotSpec
        source TEXT NOT NULL
    );
    CREATE TABLE matches (
        id TEXT PRIMARY KEY,
        rules_key TEXT NOT NULL REFERENCES rulesets (key),
        match TEXT NOT NULL                   -- JSON of Match
    );
    CREATE TABLE run_matches (
        run INTEGER NOT NULL REFERENCES runs (id),
        place INTEGER NOT NULL,               -- in the schedule, from 0
        match TEXT NOT NULL REFERENCES matches (id),
        PRIMARY KEY (run, match)
    );
    CREATE TABLE chunks (
        match TEXT NOT NULL REFERENCES matches (id),
        first_block INTEGER NOT NULL,
        blocks INTEGER NOT NULL,
        stats TEXT NOT NULL,                  -- JSON of MatchStats
        seconds REAL NOT NULL,
        worker INTEGER NOT NULL,              -- process id
        PRIMARY KEY (match, first_block)
    );
    CREATE TABLE faults (
        match TEXT NOT NULL,
        first_block INTEGER NOT NULL,
        place INTEGER NOT NULL,               -- within the chunk, from 0
        fault TEXT NOT NULL,                  -- JSON of Fault
        PRIMARY KEY (match, first_block, place),
        FOREIGN KEY (match, first_block) REFERENCES chunks (match, first_block)
    );
    """,
    """
    ALTER TABLE runs ADD COLUMN courses TEXT NOT NULL DEFAULT '[]';  -- JSON list of Course
    """,
    """
    CREATE TABLE trials (
        id TEXT PRIMARY KEY,                  -- Match.id of the bot against itself
        trial TEXT NOT NULL                   -- JSON of Trial
    );
    """,
)
