-- Version 7: what makes a finding small and certain lies beside its witness: a
-- smaller schedule that fails in the same way, and the orders that are enough.

-- JSON, compressed; null: there is none. Goes when the witness is replaced.
ALTER TABLE findings ADD COLUMN explanation BLOB;
