import {
  use,
  useEffect,
  useEffectEvent,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { recordPartLoad } from "./missing-part";

type PartModule<Props> = { default: ComponentType<Props> };
/** Callbacks for a part that can't be loaded; the first existing one is called. */
type CloseCallbacks = { onMissing?: () => void; onClose?: () => void; onBack?: () => void };

/** Retry interval of parts that weren't requested by a person. */
const RETRY_MS = 20_000;

/**
 * A component loaded when it is first rendered, within a `Suspense`. While the server is
 * unreachable, or after an update, code may be unavailable: the page works without it. What a
 * person opened is closed again (`onMissing`, else `onClose` or `onBack`), and the page reports it;
 * other parts are retried.
 *
 * A part that the server renders contains no buttons: a press on them would be lost until the code has loaded.
 * @param load imports the module that has the part as its default export
 * @param fallback rendered while it is unavailable, without a report; default: nothing
 */
export function lazyPart<Props extends object>(
  load: () => Promise<PartModule<Props>>,
  fallback?: ReactNode,
): ComponentType<Props & CloseCallbacks> {
  /** Resolves to null if loading fails; null: not requested, or to be requested again. */
  let pending: Promise<ComponentType<Props> | null> | null = null;
  const loadOnce = () =>
    (pending ??= load().then(
      (module) => {
        recordPartLoad(true);
        return module.default;
      },
      () => null,
    ));

  function MissingPart({
    onMissing,
    onRetry,
  }: {
    onMissing: (() => void) | undefined;
    onRetry: () => void;
  }) {
    const report = useEffectEvent(() => {
      if (fallback === undefined) recordPartLoad(false);
      onMissing?.();
    });
    const retry = useEffectEvent(() => {
      pending = null;
      onRetry();
    });
    useEffect(() => {
      report();
      const timer = setTimeout(retry, RETRY_MS);
      return () => {
        clearTimeout(timer);
        pending = null;
      };
    }, []);
    return fallback ?? null;
  }

  return function LazyPart(props) {
    const [, setAttempts] = useState(0);
    const Part = use(loadOnce());
    if (Part !== null) return <Part {...props} />;
    return (
      <MissingPart
        onMissing={props.onMissing ?? props.onClose ?? props.onBack}
        onRetry={() => setAttempts((attempts) => attempts + 1)}
      />
    );
  };
}

/**
 * Loads code that a person requested; if that fails, the page reports it and stays as it is.
 * @param onLoaded called with the module
 * @param onFailed called on failure
 */
export function loadOrReport<Module>(
  load: () => Promise<Module>,
  onLoaded: (module: Module) => void,
  onFailed?: () => void,
): void {
  load().then(
    (module) => {
      recordPartLoad(true);
      onLoaded(module);
      return undefined;
    },
    () => {
      recordPartLoad(false);
      onFailed?.();
    },
  );
}
