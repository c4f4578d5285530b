-- Version 2: what is known of a program's iRoots, across its builds and inputs.
-- Anchors are hexadecimal in texts and signed 64-bit numbers in columns.

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

-- After so many executions and so much time, so many had been exposed.
CREATE TABLE iroot_growth (
  program TEXT NOT NULL REFERENCES programs(id),
  executions INTEGER NOT NULL,
  nanoseconds INTEGER NOT NULL,
  exposed INTEGER NOT NULL,
  PRIMARY KEY (program, executions)
) STRICT, WITHOUT ROWID;
