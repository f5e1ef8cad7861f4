/**
 * Puts the name of the variable that led us there before what went wrong.
 * @throws Error whose message begins with `variable` and a colon, caused by what `work` threw; `ConfigProblems` as it is
 */
export async function naming<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // What is refused there names its own variables.
    if (cause instanceof Error && cause.name === "ConfigProblems") throw cause;
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${variable}: ${problem}`, { cause });
  }
}
