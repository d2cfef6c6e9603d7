import { createHealth, type Health, type HealthCondition } from '../core/health.ts';
import { readDescriptors } from '../http/ops/process.ts';
import { every } from '../lib/event-loop.ts';
import type { Logger } from '../lib/logger.ts';

// So that the log tells of a problem that nobody asks for.
const checkIntervalMs = 5000;

// Each connection needs one, and the database a few.
const amplePart = 0.1;

/** That the process, which has the connections of all clients, can soon open no more. */
export const descriptorsCondition: HealthCondition = {
  name: 'file_descriptors_low',
  severity: 'warning',
  check: () => {
    const { open, limit } = readDescriptors();
    if (open === null || limit === null || limit - open >= limit * amplePart) return [];
    return [
      `${open} of ${limit} file descriptors are open: new connections will be refused soon. Raise the limit ` +
        '(LimitNOFILE of systemd, or ulimit -n), or limit connections in the proxy.',
    ];
  },
};

/** Creates the health registry of a server process and checks it regularly. */
export function composeHealth(log: Logger): Health & { close(): void } {
  const health = createHealth(log);
  return { ...health, close: every(checkIntervalMs, health.read) };
}
