"use client";

import {
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { NO_CHART } from "./words";

/** How far below the window a chart's code is asked for, so that it is there when the chart comes into view. */
const NEAR_PX = 300;
/** A chart that nobody has scrolled to comes after all, for those who print the page or lose the network. */
const IDLE_MS = 4000;
const AGAIN_MS = 5000;

type Loaded<Props> = { default: ComponentType<Props> };

/**
 * A component whose code is no part of the page: it comes once its place is near the window, after what is
 * there has been painted. Until then nothing is drawn; where the network fails it is asked for again.
 * @param load imports the module that has the component as its default export
 */
export function lazyOnView<Props extends object>(
  load: () => Promise<Loaded<Props>>,
): (props: Props) => ReactNode {
  let loaded: Loaded<Props> | null = null;
  return function WhenSeen(props: Props) {
    const [come, setCome] = useState(loaded);
    // Drawing a chart takes longer than all the rest of a page: that is there first, also when the code came long ago.
    const here = useDeferredValue(come, null);
    const [hasFailed, setHasFailed] = useState(false);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (come !== null || place.current === null) return undefined;
      let isGone = false;
      let isAsked = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const ask = () => {
        if (isAsked) return;
        isAsked = true;
        load().then(
          (module) => {
            loaded = module;
            if (!isGone) setCome(module);
            return undefined;
          },
          () => {
            isAsked = false;
            if (isGone) return undefined;
            setHasFailed(true);
            clearTimeout(timer);
            timer = setTimeout(ask, AGAIN_MS);
            return undefined;
          },
        );
      };
      const watch = new IntersectionObserver(
        (entries) => {
          if (entries.some(({ isIntersecting }) => isIntersecting)) whenPainted(ask);
        },
        { rootMargin: `${NEAR_PX}px` },
      );
      watch.observe(place.current);
      window.addEventListener("beforeprint", ask);
      timer = setTimeout(ask, IDLE_MS);
      return () => {
        isGone = true;
        watch.disconnect();
        window.removeEventListener("beforeprint", ask);
        clearTimeout(timer);
      };
    }, [come]);
    if (here !== null) return <here.default {...props} />;
    return (
      <div ref={place} className="grid size-full place-items-center text-xs text-ink-3">
        {hasFailed ? <p role="status">{NO_CHART}</p> : null}
      </div>
    );
  };
}

/** Runs after the frame that is being made has been painted. */
function whenPainted(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
