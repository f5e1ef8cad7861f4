/**
 * Puts the name of the variable that led us there before what went wrong.
 * @throws Error whose message begins with `variable` and a colon, caused by what `work` threw
 */
export async function naming<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${variable}: ${problem}`, { cause });
  }
}
