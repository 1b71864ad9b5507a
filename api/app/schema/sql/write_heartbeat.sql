-- Also exceeds work_mem on purpose, which allocates new disk blocks: a full disk refuses them, while it
-- may still have room for a row that is updated in place.
CREATE OR REPLACE FUNCTION write_heartbeat(p_worker uuid, p_now timestamptz) RETURNS bigint
LANGUAGE sql SET work_mem = '64kB' SET search_path = public, pg_temp AS $$
  INSERT INTO heartbeat (worker_id, beat_at) VALUES (p_worker, p_now)
  ON CONFLICT (worker_id) DO UPDATE SET beat_at = excluded.beat_at;
  WITH spilled AS MATERIALIZED (SELECT repeat('x', 1000) AS line FROM generate_series(1, 256))
  SELECT count(line) FROM spilled
$$;
