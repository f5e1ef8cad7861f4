import type { Confidence } from "@/lib/domain/sync";

/** Shown as bars: three solid, one solid and two hollow, or a hatched box. */
export function ConfidenceIcon({ confidence }: { confidence: Confidence }) {
  return (
    <svg
      className={`icon confidence-${confidence}`}
      width="14"
      height="12"
      viewBox="0 0 14 12"
      aria-hidden="true"
    >
      {confidence === "live" ? (
        <path d="M0 8h3.4v4H0zM5.2 4h3.4v8H5.2zM10.4 0h3.4v12h-3.4z" fill="currentColor" />
      ) : confidence === "delayed" ? (
        <>
          <path d="M0 8h3.4v4H0z" fill="currentColor" />
          <path d="M5.7 4.5h2.4v7H5.7zM10.9.5h2.4v11h-2.4z" fill="none" stroke="currentColor" />
        </>
      ) : (
        <path
          d="M.6.6h12.8v10.8H.6zM1 8l7-7.4M2 11.4 12.5.6M7 11.4l6.4-6.7"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.2"
        />
      )}
    </svg>
  );
}
