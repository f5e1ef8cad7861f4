import { UnknownPage } from "@/components/shell/unknown-page";

export default function MissingNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <UnknownPage />
    </main>
  );
}
