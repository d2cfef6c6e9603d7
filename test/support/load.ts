/** Clients that request a link until the server goes away. */
export interface Load {
  /** Resolves after this many redirects since the start. */
  answered(count: number): Promise<void>;
  /** Resolves with the number of redirects when all clients have lost their connection. */
  readonly ended: Promise<number>;
}

/** Starts clients that each request the link, wait for the redirect, and request it again. */
export function startLoad(link: string, clients: number): Load {
  const waiting: { count: number; resolve: () => void }[] = [];
  let total = 0;

  const client = async () => {
    for (;;) {
      const response = await fetch(link, { redirect: 'manual' }).catch(() => null);
      if (response === null) return;
      if (response.status !== 302) throw new Error(`no redirect: ${response.status}`);
      total++;
      for (const { count, resolve } of waiting) if (total >= count) resolve();
    }
  };

  const ended = Promise.all(Array.from({ length: clients }, client)).then(() => total);
  return {
    answered: (count) =>
      Promise.race([
        new Promise<void>((resolve) => void waiting.push({ count, resolve })),
        ended.then((reached) => {
          throw new Error(`the server went away after ${reached} redirects`);
        }),
      ]),
    ended,
  };
}
