-- A store of version 3, as `sqlite3 store.db .dump` prints it.
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
CREATE TABLE builds (
  id TEXT PRIMARY KEY,
  program TEXT NOT NULL REFERENCES programs(id),
  build_id TEXT NOT NULL,           -- '' = the file has none
  instrumented INTEGER NOT NULL,
  num_sites INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  UNIQUE (program, build_id)
) STRICT;
INSERT INTO "builds" VALUES('b1','p1','aa',1,7,1000);
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
INSERT INTO "campaigns" VALUES('c1','b1','{"argv": ["./app"]}','0.1.0',1000,2000,'found','{}');
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
INSERT INTO "findings" VALUES('f1',1,'p1',4242,'use-after-free','medium','confirmed','open',0,'main/1 uses what main freed','[]','[{"function": "drop", "file": "cache.c", "line": 31, "column": 3, "anchor": "0x77"}]','b1','b1',1000,2000,'c1',NULL,X'28B52FFD2097BD0300A286161A80B939ECE8B4656CD7A253F1527C05C2AC23110DCB3193CAE868CDEFFBAADD6C0A6BAA7921A00072359B2D392024452848040F224D9C49DCA6D66D1C0CBE2FC4C945D86D3C1D8915A8503A1627D35DF8929EE4BE272A5A67020A0810987B54013CB4817BA10EAFB0CD432A0609E8003C25CD31');
CREATE TABLE iroot_growth (
  program TEXT NOT NULL REFERENCES programs(id),
  executions INTEGER NOT NULL,
  nanoseconds INTEGER NOT NULL,
  exposed INTEGER NOT NULL,
  PRIMARY KEY (program, executions)
) STRICT, WITHOUT ROWID;
CREATE TABLE iroot_places (
  program TEXT NOT NULL REFERENCES programs(id),
  anchor INTEGER NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  position INTEGER NOT NULL,        -- column; 0 = not known
  function TEXT NOT NULL,
  library INTEGER NOT NULL,
  is_update INTEGER NOT NULL,
  PRIMARY KEY (program, anchor)
) STRICT, WITHOUT ROWID;
CREATE TABLE iroots (
  program TEXT NOT NULL REFERENCES programs(id),
  root TEXT NOT NULL,               -- its text form, over anchors
  exposures INTEGER NOT NULL,       -- executions that exposed it
  attempts INTEGER NOT NULL,        -- to force it, in vain, with any input
  input INTEGER NOT NULL,           -- digest of the input of the next two
  predicted INTEGER NOT NULL,
  attempts_here INTEGER NOT NULL,
  flags INTEGER NOT NULL,
  PRIMARY KEY (program, root)
) STRICT, WITHOUT ROWID;
CREATE TABLE programs (
  id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  first_seen INTEGER NOT NULL
) STRICT;
INSERT INTO "programs" VALUES('p1','app',1000);
CREATE TABLE schedules (
  id TEXT PRIMARY KEY,
  build TEXT NOT NULL REFERENCES builds(id),
  text BLOB NOT NULL,               -- a schedule file
  idle_sites BLOB NOT NULL          -- ids, one a line, hexadecimal
, ordered_sites BLOB NOT NULL DEFAULT x'') STRICT;
CREATE TABLE sightings (
  finding TEXT NOT NULL REFERENCES findings(id),
  campaign TEXT NOT NULL REFERENCES campaigns(id),
  first_execution INTEGER NOT NULL, -- from 1
  times INTEGER NOT NULL,
  PRIMARY KEY (finding, campaign)
) STRICT, WITHOUT ROWID;
INSERT INTO "sightings" VALUES('f1','c1',12,3);
CREATE INDEX campaigns_by_build ON campaigns(build, started);
CREATE INDEX batches_by_campaign ON batches(campaign, first);
PRAGMA application_id = 0x464c4544;
PRAGMA user_version = 3;
