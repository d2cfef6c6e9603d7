// Below the ephemeral ports of Linux, so that the port of a stopped server stays free: a connection of a client could
// take an ephemeral one.
const [firstPort, blocks, ports] = [10_000, 110, 200];
let block: number | undefined;
let asked = 0;

/**
 * Returns an unused port of this machine, which no other process of tests uses. A server that listens there may take
 * its time, and may be stopped and started again.
 */
export function freePort(): number {
  block ??= claimBlock();
  for (let tries = 0; tries < ports; tries++) {
    // The first port of the block is held.
    const port = block + 1 + (asked++ % (ports - 1));
    const probe = tryListen(port);
    if (probe === null) continue;
    probe.stop(true);
    return port;
  }
  throw new Error(`All ports from ${block + 1} to ${block + ports - 1} are in use.`);
}

/** Takes a block of ports, whose first port this process holds until it ends. */
function claimBlock(): number {
  // Processes that start together begin at different blocks, so that few of their attempts meet.
  const begin = process.pid % blocks;
  for (let turn = 0; turn < blocks; turn++) {
    const first = firstPort + ((begin + turn) % blocks) * ports;
    const held = tryListen(first);
    if (held === null) continue;
    held.unref();
    return first;
  }
  throw new Error(`All blocks of ports from ${firstPort} on are in use.`);
}

/** Listens on a port of loopback, or returns null if it is in use. */
function tryListen(port: number): Bun.TCPSocketListener | null {
  try {
    return Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } });
  } catch {
    return null;
  }
}
