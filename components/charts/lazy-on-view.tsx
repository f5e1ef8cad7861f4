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

/** Charts out of view are loaded soon, too, for scrolling, printing or going offline. */
const IDLE_MS = 4000;
const AGAIN_MS = 5000;

type Loaded<Props> = { default: ComponentType<Props> };

/**
 * A component loaded on demand: once its position is in view, after the rest has painted.
 * Until then nothing is drawn; failed requests are retried.
 * @param load imports the module that has the component as its default export
 */
export function lazyOnView<Props extends object>(
  load: () => Promise<Loaded<Props>>,
): (props: Props) => ReactNode {
  let loaded: Loaded<Props> | null = null;
  return function WhenSeen(props: Props) {
    const [come, setCome] = useState(loaded);
    // Rendering a chart takes longer than the rest of a page, which is rendered first even when the
    // code has loaded.
    const here = useDeferredValue(come, null);
    const [hasFailed, setHasFailed] = useState(false);
    const place = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (come !== null || place.current === null) return undefined;
      let isGone = false;
      let isRequested = false;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const ask = () => {
        if (isRequested) return;
        isRequested = true;
        load().then(
          (module) => {
            loaded = module;
            if (!isGone) setCome(module);
            return undefined;
          },
          () => {
            isRequested = false;
            if (isGone) return undefined;
            setHasFailed(true);
            clearTimeout(timer);
            timer = setTimeout(ask, AGAIN_MS);
            return undefined;
          },
        );
      };
      const watch = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) whenPainted(ask);
      });
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

/** Runs after the current frame has been painted. */
function whenPainted(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
