/**
 * Runs something when it is first asked for and remembers what it gave. What fails is told to those who
 * wait for it and forgotten, so that the next call tries again.
 */
export function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
