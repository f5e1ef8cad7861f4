/** The empty page, with the one number that a reader could wait for. */
export default function Page() {
  return <main>1 m</main>;
}
