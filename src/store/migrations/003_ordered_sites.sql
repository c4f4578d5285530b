-- Version 3: sites that were told and no points in a schedule's execution.

ALTER TABLE schedules ADD COLUMN
  ordered_sites BLOB NOT NULL DEFAULT x'';  -- as idle_sites; empty: none
