-- Version 5: predictions are findings. One that no execution has shown has a
-- number below 0, which people read as P1, P2, …; once it is shown, its row has
-- an ordinary number, and keeps the other one.

-- Fingerprint of the prediction that the row is, or was found by; null: none.
ALTER TABLE findings ADD COLUMN prediction INTEGER;
-- The number that it had as a prediction.
ALTER TABLE findings ADD COLUMN predicted_as INTEGER;
-- Of a prediction that another finding shows: that one. It is not listed.
ALTER TABLE findings ADD COLUMN same_as TEXT REFERENCES findings(id);
CREATE INDEX findings_by_prediction ON findings(program, prediction);

-- Damaged memory ranks as a crash, whichever version recorded it.
UPDATE findings SET severity = 'high'
  WHERE kind IN ('use-after-free', 'double-free', 'bad-free');
