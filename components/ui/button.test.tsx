import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Button } from "./button";

test("keeps the focus while it is busy, and does nothing when it is pressed", () => {
  const onClick = vi.fn<() => void>();
  const busy = <Button type="submit" isBusy onClick={onClick} />;
  expect(renderToStaticMarkup(busy)).toContain('aria-disabled="true"');
  expect(renderToStaticMarkup(busy)).not.toContain(' disabled=""');
  const preventDefault = vi.fn<() => void>();
  Button(busy.props).props.onClick({ preventDefault });
  expect(preventDefault).toHaveBeenCalledOnce();
  expect(onClick).not.toHaveBeenCalled();
});
