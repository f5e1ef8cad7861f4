import { Suspense, useState, type ComponentType, type ReactNode } from "react";
import { lazyPart, loadOrReport } from "./lazy-part";

/** Props of the button, whether or not its popup is loaded. */
export type PopupButtonProps = {
  /** Accessible name of button and popup; default: the children's text. */
  label?: string;
  className: string;
  children: ReactNode;
};

/**
 * Creates a button with a popup. The popup is loaded when it is about to open, so that no page pays
 * for it at first paint; until then the button looks and responds alike.
 * @param load imports the module that has button and popup, initially open, as its default export
 */
export function popupButton<Own extends object>(
  kind: "menu" | "dialog",
  load: () => Promise<{ default: ComponentType<Own & PopupButtonProps> }>,
): ComponentType<Own & PopupButtonProps> {
  const Popup: ComponentType<Own & PopupButtonProps> = lazyPart(load);
  return function PopupButton(props: Own & PopupButtonProps) {
    const [state, setState] = useState<"closed" | "loading" | "loaded">("closed");
    const open = () => {
      setState("loading");
      loadOrReport(
        load,
        () => setState("loaded"),
        () => setState("closed"),
      );
    };
    const button = (
      <button
        type="button"
        aria-label={props.label}
        aria-haspopup={kind}
        aria-expanded="false"
        aria-busy={state === "loading" || undefined}
        className={props.className}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={open}
        onKeyDown={(event) => {
          if (kind !== "menu" || event.key !== "ArrowDown") return;
          event.preventDefault();
          open();
        }}
      >
        {props.children}
      </button>
    );
    if (state !== "loaded") return button;
    return (
      <Suspense fallback={button}>
        <Popup {...props} />
      </Suspense>
    );
  };
}
