import type { Socket } from 'bun';

interface Target {
  readonly host: string;
  readonly port: number;
}

/** A TCP proxy whose connections a test breaks. */
export interface FlakyProxy {
  readonly port: number;
  /** Drops what the server sends from now on: requests arrive, responses do not. */
  muteServer(): void;
  /** Closes all connections. With `refuse`, also each new one, until {@link FlakyProxy.restore}. */
  cut(refuse?: boolean): void;
  /** Forwards everything again. */
  restore(): void;
  /** Connects to another server from now on. Open connections stay. */
  retarget(server: Target): void;
  close(): void;
}

/** Starts a proxy on loopback. */
export async function startFlakyProxy(server: Target): Promise<FlakyProxy> {
  let target = server;
  let isMuted = false;
  let isRefusing = false;
  const pairs = new Map<Socket, { server: Socket | null; early: Uint8Array[] }>();
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (client) => {
        if (isRefusing) return void client.terminate();
        const pair: { server: Socket | null; early: Uint8Array[] } = { server: null, early: [] };
        pairs.set(client, pair);
        void Bun.connect({
          hostname: target.host,
          port: target.port,
          socket: {
            open: (server) => {
              pair.server = server;
              for (const bytes of pair.early) server.write(bytes);
            },
            data: (_, bytes) => {
              if (!isMuted) client.write(bytes);
            },
            close: () => client.terminate(),
          },
        }).catch(() => client.terminate());
      },
      data: (client, bytes) => {
        const pair = pairs.get(client);
        if (pair?.server) pair.server.write(bytes);
        else pair?.early.push(Uint8Array.from(bytes));
      },
      close: (client) => {
        pairs.get(client)?.server?.terminate();
        pairs.delete(client);
      },
    },
  });
  const cut = () => {
    for (const client of pairs.keys()) client.terminate();
  };
  return {
    port: listener.port,
    muteServer: () => {
      isMuted = true;
    },
    cut: (refuse = false) => {
      isRefusing = refuse;
      cut();
    },
    restore: () => {
      isMuted = false;
      isRefusing = false;
    },
    retarget: (server) => {
      target = server;
    },
    close: () => {
      cut();
      listener.stop(true);
    },
  };
}
