/**
 * The second at which data last arrived. Set by the polling loop, so a screen whose loop has
 * stopped shows a beat that doesn't advance.
 */
export type Beat = {
  /** 0 to 59: now, or the second at which it stopped. */
  second: number;
  isAlive: boolean;
};

const TICKS = Array.from({ length: 60 }, (_, second) => second);

/** @param beat null: a static picture */
export function WallClock({
  clock,
  beat,
}: {
  /** `zone`: in which all times of the screen are. */
  clock: { time: string; seconds: string; zone: string; instant: string };
  beat: Beat | null;
}) {
  return (
    <div className={`wall-clock ${beat?.isAlive === false ? "is-still" : ""}`}>
      {beat?.isAlive === false ? <p className="wall-still">No new data</p> : null}
      {beat === null ? <p className="wall-still">If this clock stops, so has data. As of</p> : null}
      <time dateTime={clock.instant}>
        {clock.time}
        <span>{clock.seconds}</span>
      </time>
      {beat === null ? null : (
        <div className="wall-beat" aria-hidden="true">
          {TICKS.map((second) => (
            <i key={second} className={tickClass(second, beat.second)} />
          ))}
        </div>
      )}
      <p className="wall-zone">{clock.zone}</p>
    </div>
  );
}

function tickClass(second: number, at: number): string {
  if (second === at) return "is-head";
  return second < at ? "is-on" : "";
}
