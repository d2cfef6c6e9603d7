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
  /** Keeps what clients send from now on, also when they close their connections. */
  holdClient(): void;
  /** Sends what was kept. Resolves when the server has it. */
  release(): Promise<void>;
  /** Closes all connections. With `refuse`, also each new one, until {@link FlakyProxy.restore}. */
  cut(refuse?: boolean): void;
  /** Forwards everything again. */
  restore(): void;
  /** Connects only after a while from now on. */
  delayConnections(ms: number): void;
  /** Connects to another server from now on. Open connections stay. */
  retarget(server: Target): void;
  close(): void;
}

/** Starts a proxy on loopback. */
export async function startFlakyProxy(server: Target): Promise<FlakyProxy> {
  let target = server;
  let isMuted = false;
  let isRefusing = false;
  let isHolding = false;
  let delayMs = 0;
  const held: { readonly server: Socket; readonly bytes: Uint8Array }[] = [];
  const pairs = new Map<Socket, { server: Socket | null; early: Uint8Array[] }>();
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: async (client) => {
        if (isRefusing) return void client.terminate();
        const pair: { server: Socket | null; early: Uint8Array[] } = { server: null, early: [] };
        pairs.set(client, pair);
        if (delayMs > 0) await Bun.sleep(delayMs);
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
        if (pair?.server && isHolding) held.push({ server: pair.server, bytes: bytes.slice() });
        else if (pair?.server) pair.server.write(bytes);
        else pair?.early.push(Uint8Array.from(bytes));
      },
      close: (client) => {
        const server = pairs.get(client)?.server;
        if (!held.some((one) => one.server === server)) server?.terminate();
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
    holdClient: () => {
      isHolding = true;
    },
    release: async () => {
      for (const { server, bytes } of held.splice(0)) {
        server.write(bytes);
        server.flush();
      }
      await Bun.sleep(0);
    },
    cut: (refuse = false) => {
      isRefusing = refuse;
      cut();
    },
    restore: () => {
      isMuted = false;
      isRefusing = false;
      isHolding = false;
    },
    delayConnections: (ms) => {
      delayMs = ms;
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
