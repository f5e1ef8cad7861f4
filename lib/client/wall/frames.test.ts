import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "@/lib/client/browser-time-fixture";
import { PAINT_LIMIT_MS, startWallFrames } from "./frames";

const ORIGIN = "https://plumbline.example";

type Frame = {
  contentWindow: object;
  src: string;
  style: Record<string, string>;
  remove(): void;
};

/** The parts of a window that the top document of a wall uses. */
function television() {
  const fake = browserTimeFixture();
  const frames: Frame[] = [];
  let replaced = 0;
  const window = Object.assign(new EventTarget(), {
    location: { href: `${ORIGIN}/wall`, origin: ORIGIN },
    document: {
      createElement: () => {
        const frame: Frame & { setAttribute(): void } = {
          contentWindow: {},
          src: "",
          style: {},
          setAttribute: () => {},
          remove: () => void frames.splice(frames.indexOf(frame), 1),
        };
        return frame;
      },
      body: { append: (frame: Frame) => frames.push(frame) },
    },
  });
  const top = startWallFrames(
    { window: window as unknown as Window, time: fake.time },
    () => replaced++,
  );
  return {
    fake,
    top,
    frames,
    replaced: () => replaced,
    say(frame: Frame | undefined, word: string, origin = ORIGIN) {
      const event = Object.assign(new Event("message"), {
        origin,
        source: frame?.contentWindow ?? null,
        data: { wall: word },
      });
      window.dispatchEvent(event);
    },
  };
}

describe("the top document of a wall", () => {
  test("shows a newer page only once it has painted, then removes the old picture", () => {
    const tv = television();
    tv.top.replace();
    const [frame] = tv.frames;
    expect(frame).toMatchObject({ src: `${ORIGIN}/wall`, style: { opacity: "0" } });
    expect(tv.replaced()).toBe(0);
    tv.say(frame, "painted");
    expect(frame?.style["opacity"]).toBe("1");
    expect(tv.replaced()).toBe(1);
    expect(tv.fake.timerCount()).toBe(0);
  });

  test("drops a page that doesn't paint in time, and retries with a new frame", () => {
    const tv = television();
    tv.top.replace();
    const [late] = tv.frames;
    tv.fake.pass(PAINT_LIMIT_MS);
    expect(tv.frames).toEqual([]);
    tv.say(late, "painted");
    expect(tv.replaced()).toBe(0);
    tv.top.replace();
    expect(tv.frames).toHaveLength(1);
    expect(tv.frames[0]).not.toBe(late);
  });

  test("never has more than one page shown and one loading", () => {
    const tv = television();
    tv.top.replace();
    tv.top.replace();
    expect(tv.frames).toHaveLength(1);
    for (let deploy = 0; deploy < 50; deploy++) {
      tv.say(tv.frames.at(-1), "painted");
      expect(tv.frames).toHaveLength(1);
      tv.say(tv.frames[0], "replace");
      tv.say(tv.frames[0], "replace");
      expect(tv.frames).toHaveLength(2);
    }
    expect(tv.replaced()).toBe(1);
  });

  test("accepts messages only from its own frames and its own origin", () => {
    const tv = television();
    tv.top.replace();
    const [frame] = tv.frames;
    tv.say(frame, "painted", "https://elsewhere.example");
    tv.say(undefined, "painted");
    tv.say({ contentWindow: {}, src: "", style: {}, remove: () => {} }, "painted");
    tv.say(frame, "replace");
    expect(frame?.style["opacity"]).toBe("0");
    tv.say(frame, "painted");
    tv.say({ contentWindow: {}, src: "", style: {}, remove: () => {} }, "replace");
    expect(tv.frames).toHaveLength(1);
  });

  test("removes its listeners and any loading frame when stopped", () => {
    const tv = television();
    tv.top.replace();
    const [frame] = tv.frames;
    tv.top.stop();
    tv.say(frame, "painted");
    expect(tv.frames).toEqual([]);
    expect(tv.replaced()).toBe(0);
  });
});
