import { shareOf } from "@/components/charts/step-points";
import { percent } from "@/components/ui/percent";
import type { ApiCallsView } from "@/lib/contracts/history";
import type { Period } from "@/lib/domain/history";
import { span } from "@/lib/domain/words/format";
import { rateLimited } from "./words";

/**
 * Rate-limited runs on the axis of the chart above.
 * @param past "past 7 days"
 * @param unseen hatched
 */
export function RateLimitedStrip({
  runs: { step_minutes, runs },
  axis,
  unseen,
  past,
  timeZone,
}: {
  runs: NonNullable<ApiCallsView["rate_limited"]>;
  axis: Period;
  unseen: readonly Period[];
  past: string;
  timeZone: string;
}) {
  const stepMs = step_minutes * 60_000;
  const step = span(stepMs);
  const most = Math.max(0, ...runs.map(([, amount]) => amount));
  const total = runs.reduce((sum, [, amount]) => sum + amount, 0);
  const found = rateLimited.found(total, unseen, axis, timeZone);
  const place = ({ fromMs, untilMs }: Period) => {
    const from = shareOf(fromMs, axis);
    return { left: percent(from), width: percent(shareOf(untilMs, axis) - from) };
  };
  return (
    <div className="rate-limited">
      <p aria-hidden="true">
        {rateLimited.title(step)}
        {total === 0 ? `: ${found}` : ""}
      </p>
      <div role="img" aria-label={rateLimited.label(step, past, found, most)}>
        {unseen.map((period) => (
          <span
            key={period.fromMs}
            className="hatched-fine absolute inset-y-0 opacity-70"
            style={place(period)}
          />
        ))}
        {runs.map(([fromMs, amount]) => (
          <i
            key={fromMs}
            style={{
              ...place({ fromMs, untilMs: fromMs + stepMs }),
              height: percent(amount / most),
            }}
          />
        ))}
      </div>
    </div>
  );
}
