import { PlainRows } from "./plain-rows";

export default function Page() {
  return (
    <main>
      <PlainRows />
    </main>
  );
}
