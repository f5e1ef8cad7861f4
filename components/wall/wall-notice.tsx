import { WallFrame } from "@/components/shell/wall-frame";

/** A wall without a picture, and why: revoked, ended, not paired. */
export function WallNotice({
  title,
  sentence,
  theme,
  shape = "landscape",
  shiftPx,
}: {
  title: string;
  sentence: string;
  theme: "dark" | "light";
  shape?: "landscape" | "portrait";
  shiftPx?: { x: number; y: number } | undefined;
}) {
  return (
    <WallFrame theme={theme} shape={shape} shiftPx={shiftPx}>
      <main className="wall-main is-notice is-alone">
        <div className="wall-hero">
          <h1 dir="auto">{title}</h1>
          <p dir="auto">{sentence}</p>
        </div>
      </main>
    </WallFrame>
  );
}
