-- Version 4: facts: what is inferred or declared about programs (fact/fact.h). One row for
-- each key, for all programs.

CREATE TABLE facts (
  kind TEXT NOT NULL,               -- a word of fact/kinds.inc
  subjects TEXT NOT NULL,           -- JSON: an array of texts
  state TEXT NOT NULL,
  origin TEXT NOT NULL,
  runs TEXT NOT NULL,               -- JSON: an array of texts
  reason TEXT NOT NULL,             -- '' = none
  changed INTEGER NOT NULL,         -- when
  PRIMARY KEY (kind, subjects)
) STRICT, WITHOUT ROWID;
