-- Reserves a request of one lane (0 background, 1 people, 2 token, 3 jobs), or says how long to wait. A function, because
-- its statements are planned once per connection, and each sees what others reserved until it had the origin's lock.
-- ceiling_lanes: per ceiling its lanes, one bit each. given_now_ms: replaces the clock in tests; null: doesn't.
CREATE FUNCTION reserve_upstream_request(
  of_origin text, of_lane smallint, ceiling_lanes integer[], ceilings integer[],
  window_ms bigint, longest_wait_ms bigint, given_now_ms bigint,
  OUT granted boolean, OUT limited_ms double precision, OUT drained_ms double precision,
  OUT full_ms double precision, OUT used integer
) LANGUAGE plpgsql AS $$
DECLARE
  host upstream_hosts;
  now_ms bigint;
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

  SELECT coalesce(max(until_ms - now_ms) FILTER (WHERE kind = 'limited'), 0),
    coalesce(max(until_ms - now_ms) FILTER (WHERE kind = 'drained'), 0)
  INTO limited_ms, drained_ms
  FROM (VALUES
    ('limited', host.limited_until_ms, of_lane <> 2),
    ('limited', host.token_limited_until_ms, of_lane = 2),
    ('drained', host.drained_until_ms, of_lane <> 2),
    ('drained', host.background_drained_until_ms, of_lane IN (0, 3))
  ) AS waits (kind, until_ms, applies)
  -- A longer wait was stored before the clock went back.
  WHERE applies AND until_ms - now_ms BETWEEN 1 AND longest_wait_ms;

  -- After the clock went back, reservations in the future count as made now: they block for one window at most, and never
  -- too little.
  UPDATE upstream_requests SET at_ms = now_ms WHERE origin = of_origin AND at_ms > now_ms;
  DELETE FROM upstream_requests WHERE origin = of_origin AND at_ms <= now_ms - window_ms;

  full_ms := 0;
  FOR i IN 1 .. cardinality(ceilings) LOOP
    IF ceilings[i] < 1 THEN
      full_ms := window_ms;
    ELSE
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
  END IF;
  SELECT count(*) INTO used FROM upstream_requests
  WHERE origin = of_origin AND lane <> 2 AND at_ms > now_ms - 60000;
END
$$;
