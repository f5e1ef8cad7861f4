import type { ReactNode } from "react";

/**
 * The frame of every wall page: background, unit of length, colours. Styles come from one plain
 * file that old television browsers understand.
 * @param shiftPx moves the whole picture a little, against burn-in
 */
export function WallFrame({
  theme,
  shape,
  shiftPx,
  children,
}: {
  theme: "dark" | "light";
  shape: "landscape" | "portrait";
  shiftPx?: { x: number; y: number } | undefined;
  children: ReactNode;
}) {
  return (
    <div className={`wall is-${shape}`} data-surface="wall" data-theme={theme}>
      {/* oxlint-disable-next-line next/no-css-tags -- the bundler would write newer CSS than we may */}
      <link rel="stylesheet" href="/wall.css" precedence="wall" />
      <div
        className="wall-page"
        style={shiftPx && { transform: `translate(${shiftPx.x}px, ${shiftPx.y}px)` }}
      >
        {children}
      </div>
    </div>
  );
}
