/** The empty page, with a single number to wait for. */
export default function Page() {
  return <main>1 m</main>;
}
