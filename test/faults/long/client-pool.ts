import { type Client, keepAliveClient } from './keep-alive.ts';

/** A fixed number of connections that take turns, so that the server's descriptors are always as many. */
export interface ClientPool {
  /** Asks over the connection that has rested longest; waits for one where all are busy. */
  ask(request: string): Promise<number>;
  /** Opens the resting connections anew: after a long pause the server may just be closing them. */
  renew(): void;
  close(): void;
}

export function createClientPool(size: number, hostname: string, port: number): ClientPool {
  const open = () => keepAliveClient(hostname, port);
  let resting: Client[] = Array.from({ length: size }, open);
  const waiting: ((client: Client) => void)[] = [];

  const rest = (client: Client) => {
    const next = waiting.shift();
    if (next === undefined) resting.push(client);
    else next(client);
  };
  const closeResting = () => {
    for (const client of resting) client.close();
  };
  return {
    ask: async (request) => {
      const client =
        resting.shift() ?? (await new Promise<Client>((resolve) => waiting.push(resolve)));
      try {
        return await client.ask(request);
      } finally {
        rest(client);
      }
    },
    renew: () => {
      closeResting();
      resting = resting.map(open);
    },
    close: closeResting,
  };
}
