import "react";

declare module "react" {
  /** Custom properties that a style attribute sets. */
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
