import { useState, type ComponentType, type ReactNode } from "react";
import { hasEarlyPress } from "./early/early-presses";
import { loadOrReport } from "./lazy-part";
import { recordPartLoad } from "./missing-part";

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
  /** Null until its code has come. */
  let Popup: ComponentType<Own & PopupButtonProps> | null = null;
  const loadPopup = async () => void (Popup = (await load()).default);
  const loadAhead = () =>
    void loadPopup().then(
      () => recordPartLoad(true),
      // Reported once the button is pressed.
      () => {},
    );
  if (hasEarlyPress(`[aria-haspopup=${kind}]`)) loadAhead();
  return function PopupButton(props: Own & PopupButtonProps) {
    const [state, setState] = useState<"closed" | "loading" | "loaded">("closed");
    const open = () => {
      if (Popup !== null) return setState("loaded");
      setState("loading");
      loadOrReport(
        loadPopup,
        () => setState("loaded"),
        () => setState("closed"),
      );
    };
    if (state === "loaded" && Popup !== null) return <Popup {...props} />;
    return (
      <button
        type="button"
        aria-label={props.label}
        aria-haspopup={kind}
        aria-expanded="false"
        aria-busy={state === "loading" || undefined}
        className={props.className}
        onPointerEnter={loadAhead}
        onFocus={loadAhead}
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
  };
}
