/**
 * A diamond, unlike any verdict's shape, in ink: solid while unacknowledged. Its word is beside it.
 */
export function IncidentIcon({
  isAcknowledged,
  size = 11,
}: {
  isAcknowledged: boolean;
  size?: number;
}) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {isAcknowledged ? (
        <path d="M8 1.9 14.1 8 8 14.1 1.9 8Z" fill="none" stroke="currentColor" strokeWidth="1.9" />
      ) : (
        <path d="M8 .8 15.2 8 8 15.2.8 8Z" fill="currentColor" />
      )}
    </svg>
  );
}
