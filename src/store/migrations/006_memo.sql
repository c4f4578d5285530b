-- Version 6: what is known across executions is kept alike for all that it may
-- be about; iRoots are the first kind.

-- One thing that executions of a program may show, which is named over anchors,
-- so that it is the same one in another build.
CREATE TABLE memo (
  program TEXT NOT NULL REFERENCES programs(id),
  kind TEXT NOT NULL,               -- of what: iroot, …
  item TEXT NOT NULL,               -- its text form
  exposures INTEGER NOT NULL,       -- executions that showed it
  attempts INTEGER NOT NULL,        -- to force it, in vain, with any input
  input INTEGER NOT NULL,           -- digest of the input of the next two
  predicted INTEGER NOT NULL,
  attempts_here INTEGER NOT NULL,
  flags INTEGER NOT NULL,           -- the kind's own
  PRIMARY KEY (program, kind, item)
) STRICT, WITHOUT ROWID;
INSERT INTO memo (program, kind, item, exposures, attempts, input, predicted,
                  attempts_here, flags)
  SELECT program, 'iroot', root, exposures, attempts, input, predicted,
         attempts_here, flags FROM iroots;
DROP TABLE iroots;

-- Where anchors are, for all kinds.
ALTER TABLE iroot_places RENAME TO memo_places;

-- After so many executions and so much time, so many had been exposed.
CREATE TABLE memo_growth (
  program TEXT NOT NULL REFERENCES programs(id),
  kind TEXT NOT NULL,
  executions INTEGER NOT NULL,
  nanoseconds INTEGER NOT NULL,
  exposed INTEGER NOT NULL,
  PRIMARY KEY (program, kind, executions)
) STRICT, WITHOUT ROWID;
INSERT INTO memo_growth (program, kind, executions, nanoseconds, exposed)
  SELECT program, 'iroot', executions, nanoseconds, exposed FROM iroot_growth;
DROP TABLE iroot_growth;
