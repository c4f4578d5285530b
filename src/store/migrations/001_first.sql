-- Version 1: programs, builds, campaigns, executions in batches, findings,
-- schedules.
--
-- Keys are UUIDs, so that stores can be merged. Times are milliseconds since
-- 1970. Blobs are compressed with zstd. Words (kind, status, …) are those of
-- the tables in the sources.

-- A program across its builds. `path` is relative to the directory that holds
-- .fairlead when it lies below it.
CREATE TABLE programs (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  first_seen INTEGER NOT NULL
) STRICT;

CREATE TABLE builds (
  id TEXT PRIMARY KEY,
  program TEXT NOT NULL REFERENCES programs(id),
  build_id TEXT NOT NULL,           -- '' = the file has none
  instrumented INTEGER NOT NULL,
  num_sites INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  UNIQUE (program, build_id)
) STRICT;

CREATE TABLE campaigns (
  id TEXT PRIMARY KEY,
  build TEXT NOT NULL REFERENCES builds(id),
  setting TEXT NOT NULL,            -- JSON: argv, directory, stdin, strategy …
  tool TEXT NOT NULL,
  started INTEGER NOT NULL,
  ended INTEGER,                    -- null: under way, or killed
  ending TEXT,                      -- why it ended
  result TEXT                       -- JSON: the summary
) STRICT;
CREATE INDEX campaigns_by_build ON campaigns(build, started);

-- Executions come by the ten thousand a second: one row tells of many.
CREATE TABLE batches (
  id TEXT PRIMARY KEY,
  campaign TEXT NOT NULL REFERENCES campaigns(id),
  first INTEGER NOT NULL,           -- number of its first execution, from 1
  executions INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  cut INTEGER NOT NULL,
  steps INTEGER NOT NULL,
  behaviours INTEGER NOT NULL,      -- new ones
  nanoseconds INTEGER NOT NULL
) STRICT;
CREATE INDEX batches_by_campaign ON batches(campaign, first);

CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  build TEXT NOT NULL REFERENCES builds(id),
  text BLOB NOT NULL,               -- a schedule file
  idle_sites BLOB NOT NULL          -- ids, one a line, hexadecimal
) STRICT;

CREATE TABLE findings (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,   -- what people call it
  program TEXT NOT NULL REFERENCES programs(id),
  fingerprint INTEGER NOT NULL,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  verdict TEXT NOT NULL,
  status TEXT NOT NULL,             -- open, cleared, ignored
  always INTEGER NOT NULL,
  message TEXT NOT NULL,
  details TEXT NOT NULL,            -- JSON
  sites TEXT NOT NULL,              -- JSON
  first_build TEXT NOT NULL REFERENCES builds(id),
  last_build TEXT NOT NULL REFERENCES builds(id),
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  campaign TEXT NOT NULL REFERENCES campaigns(id),  -- of the witness
  schedule TEXT REFERENCES schedules(id),
  witness BLOB NOT NULL,            -- JSON
  UNIQUE (program, fingerprint)
) STRICT;

-- How often a campaign saw a finding.
CREATE TABLE sightings (
  finding TEXT NOT NULL REFERENCES findings(id),
  campaign TEXT NOT NULL REFERENCES campaigns(id),
  first_execution INTEGER NOT NULL, -- from 1
  times INTEGER NOT NULL,
  PRIMARY KEY (finding, campaign)
) STRICT, WITHOUT ROWID;
