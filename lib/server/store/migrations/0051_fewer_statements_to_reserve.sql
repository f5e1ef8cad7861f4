-- Reserves a request as before, with half of the statements: waits are compared in expressions, a ceiling is looked at once
-- that many reservations are kept, and those that left the window are deleted once a window's worth of them did.
CREATE OR REPLACE FUNCTION reserve_upstream_request(
  of_origin text, of_lane smallint, ceiling_lanes integer[], ceilings integer[],
  window_ms bigint, longest_wait_ms bigint, given_now_ms bigint,
  OUT granted boolean, OUT limited_ms double precision, OUT drained_ms double precision,
  OUT full_ms double precision, OUT used integer
) LANGUAGE plpgsql AS $$
DECLARE
  host upstream_hosts;
  now_ms bigint;
  -- A longer wait was stored before the clock went back.
  longest_until_ms bigint;
  kept integer;
  oldest_ms bigint;
  newest_ms bigint;
  blocking_ms bigint;
BEGIN
  LOOP
    SELECT * INTO host FROM upstream_hosts WHERE origin = of_origin FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO upstream_hosts (origin) VALUES (of_origin) ON CONFLICT DO NOTHING;
  END LOOP;
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    -- Statements don't see what was committed meanwhile: a transaction that waited for the lock fails with 40001.
    UPDATE upstream_hosts SET origin = of_origin WHERE origin = of_origin;
  END IF;
  -- Read while holding the lock, so that reservations are in chronological order.
  now_ms := coalesce(given_now_ms, floor(extract(epoch FROM clock_timestamp()) * 1000));
  longest_until_ms := now_ms + longest_wait_ms;

  limited_ms := 0;
  drained_ms := 0;
  IF of_lane = 2 THEN
    IF host.token_limited_until_ms BETWEEN now_ms AND longest_until_ms THEN
      limited_ms := host.token_limited_until_ms - now_ms;
    END IF;
  ELSE
    IF host.limited_until_ms BETWEEN now_ms AND longest_until_ms THEN
      limited_ms := host.limited_until_ms - now_ms;
    END IF;
    IF host.drained_until_ms BETWEEN now_ms AND longest_until_ms THEN
      drained_ms := host.drained_until_ms - now_ms;
    END IF;
    IF of_lane IN (0, 3) AND host.background_drained_until_ms BETWEEN now_ms AND longest_until_ms THEN
      drained_ms := greatest(drained_ms, host.background_drained_until_ms - now_ms);
    END IF;
  END IF;

  SELECT count(*), count(*) FILTER (WHERE lane <> 2 AND at_ms > now_ms - 60000), min(at_ms), max(at_ms)
  INTO kept, used, oldest_ms, newest_ms
  FROM upstream_requests WHERE origin = of_origin;
  -- After the clock went back, reservations in the future count as made now: they block for one window at most, and never
  -- too little.
  IF newest_ms > now_ms THEN
    UPDATE upstream_requests SET at_ms = now_ms WHERE origin = of_origin AND at_ms > now_ms;
  END IF;
  IF oldest_ms <= now_ms - 2 * window_ms THEN
    DELETE FROM upstream_requests WHERE origin = of_origin AND at_ms <= now_ms - window_ms;
  END IF;

  full_ms := 0;
  FOR i IN 1 .. cardinality(ceilings) LOOP
    IF ceilings[i] < 1 THEN
      full_ms := window_ms;
    ELSIF kept >= ceilings[i] THEN
      -- One more request fits as soon as this reservation leaves the window.
      SELECT at_ms INTO blocking_ms FROM upstream_requests
      WHERE origin = of_origin AND (ceiling_lanes[i] >> lane) & 1 = 1
      ORDER BY at_ms DESC OFFSET ceilings[i] - 1 LIMIT 1;
      full_ms := greatest(full_ms, blocking_ms + window_ms - now_ms);
    END IF;
  END LOOP;

  granted := greatest(limited_ms, drained_ms, full_ms) = 0;
  IF granted THEN
    INSERT INTO upstream_requests (origin, lane, at_ms) VALUES (of_origin, of_lane, now_ms);
    IF of_lane <> 2 THEN
      used := used + 1;
    END IF;
  END IF;
END
$$;
