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
/** What may be done instead of drawing a part; the first of them that there is. */
type Given = { onMissing?: () => void; onClose?: () => void; onBack?: () => void };

/** What came by itself is asked for again so often. */
const AGAIN_MS = 20_000;

/**
 * A part whose code comes when it is first drawn; to be drawn within a `Suspense`. While the server is away, or after
 * another version took over, code may not come: the page goes on without it. What somebody opened is closed again
 * (`onMissing`, else `onClose` or `onBack`), and the page says so; what came by itself is asked for again.
 * @param load imports the module that has the part as its default export
 * @param instead what is drawn while it can't be had, and then nothing is said; not given: nothing is drawn
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
    const [, setAsked] = useState(0);
    const Come = use(ask());
    if (Come !== null) return <Come {...props} />;
    return (
      <Missing
        onMissing={props.onMissing ?? props.onClose ?? props.onBack}
        onAgain={() => setAsked((before) => before + 1)}
      />
    );
  };
}

/** Runs `then` once code has come that somebody asked for; where it can't be had the page says so, and stays as it is. */
export function whenCome<Module>(
  load: () => Promise<Module>,
  then: (module: Module) => void,
): void {
  load().then(
    (module) => {
      notePart(true);
      then(module);
      return undefined;
    },
    () => notePart(false),
  );
}
