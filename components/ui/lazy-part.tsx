import {
  use,
  useEffect,
  useEffectEvent,
  useState,
  type ComponentType,
  type ReactNode,
} from "react";
import { notePart } from "./missing-part";

type Part<Props> = { default: ComponentType<Props> };
/** Callbacks for a part that can't be loaded; the first existing one is called. */
type Given = { onMissing?: () => void; onClose?: () => void; onBack?: () => void };

/** Retry interval of parts that weren't requested by a person. */
const AGAIN_MS = 20_000;

/**
 * A component loaded when it is first rendered, within a `Suspense`. While the server is
 * unreachable, or after an update, code may be unavailable: the page works without it. What a
 * person opened is closed again (`onMissing`, else `onClose` or `onBack`), and the page reports it;
 * other parts are retried.
 *
 * A part that the server renders contains no buttons: a press on them would be lost until the code has loaded.
 * @param load imports the module that has the part as its default export
 * @param instead rendered while it is unavailable, without a report; default: nothing
 */
export function lazyPart<Props extends object>(
  load: () => Promise<Part<Props>>,
  instead?: ReactNode,
): ComponentType<Props & Given> {
  let coming: Promise<ComponentType<Props> | null> | null = null;
  const ask = () =>
    (coming ??= load().then(
      (module) => {
        notePart(true);
        return module.default;
      },
      () => null,
    ));

  function Missing({
    onMissing,
    onAgain,
  }: {
    onMissing: (() => void) | undefined;
    onAgain: () => void;
  }) {
    const tell = useEffectEvent(() => {
      if (instead === undefined) notePart(false);
      onMissing?.();
    });
    const askAgain = useEffectEvent(() => {
      coming = null;
      onAgain();
    });
    useEffect(() => {
      tell();
      const timer = setTimeout(askAgain, AGAIN_MS);
      return () => {
        clearTimeout(timer);
        coming = null;
      };
    }, []);
    return instead ?? null;
  }

  return function Later(props) {
    const [, setAttempts] = useState(0);
    const Come = use(ask());
    if (Come !== null) return <Come {...props} />;
    return (
      <Missing
        onMissing={props.onMissing ?? props.onClose ?? props.onBack}
        onAgain={() => setAttempts((before) => before + 1)}
      />
    );
  };
}

/**
 * Runs `then` once code requested by a person has loaded; on failure the page reports it, and is
 * unchanged.
 * @param otherwise called on failure
 */
export function whenCome<Module>(
  load: () => Promise<Module>,
  then: (module: Module) => void,
  otherwise?: () => void,
): void {
  load().then(
    (module) => {
      notePart(true);
      then(module);
      return undefined;
    },
    () => {
      notePart(false);
      otherwise?.();
    },
  );
}
