import { dlopen, FFIType } from 'bun:ffi';
import { every } from '../../lib/event-loop.ts';

/**
 * Connects to the service manager that has started this process.
 * To be called before strangers may connect, who could use up the file descriptors.
 */
export function connectToServiceManager() {
  const manager = connectServiceManager(Bun.env, process.pid);
  return {
    /**
     * Tells it that the server is up, and from now on that it is not hung.
     *
     * @returns a function that tells it that the server stops
     */
    tellReady: (): (() => void) => {
      manager.ready();
      // Half of the time is what systemd recommends: one message may be late.
      const { watchdogMs, alive } = manager;
      const endWatchdog = watchdogMs === null ? () => {} : every(watchdogMs / 2, alive);
      return () => {
        endWatchdog();
        manager.stopping();
      };
    },
  };
}

/** Tells a service manager how a service does (systemd, sd_notify(3)). */
interface ServiceManager {
  /** Says that the service is up. Until then, `systemctl start` waits. */
  ready(): void;
  /** Says that the service stops. */
  stopping(): void;
  /** Says that the service is not hung. */
  alive(): void;
  /** Longest time between two such messages, in milliseconds; null without a watchdog. */
  readonly watchdogMs: number | null;
}

const silent: ServiceManager = {
  ready: () => {},
  stopping: () => {},
  alive: () => {},
  watchdogMs: null,
};

/**
 * Connects to the service manager that has started this process; to none where there is none.
 *
 * @param env `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`
 */
function connectServiceManager(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): ServiceManager {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = env;
  if (!/^[/@]/.test(socket)) return silent;
  const send = createSender(socket);
  if (send === null) return silent;
  const watchdogMs = Number(microseconds ?? 0) / 1000;
  const isWatched = watchdogMs > 0 && (watched === undefined || Number(watched) === pid);
  return {
    ready: () => send('READY=1'),
    stopping: () => send('STOPPING=1'),
    alive: () => send('WATCHDOG=1'),
    watchdogMs: isWatched ? watchdogMs : null,
  };
}

// Of Linux.
const unixFamily = 1;
const datagram = 2;
const closeOnExec = 0o2_000_000;
const dontWait = 0x40;

/**
 * Creates a function that sends datagrams to a Unix socket, which neither Bun nor Node.js can.
 * Null without a C library that is known. A message that cannot be sent is lost.
 *
 * @param path `@` begins the name of an abstract socket
 */
function createSender(path: string): ((message: string) => void) | null {
  const libc = openLibc();
  if (libc === null) return null;
  const name = Buffer.from(path.replace(/^@/, '\0'));
  const address = Buffer.alloc(2 + name.length + 1);
  address.writeUInt16LE(unixFamily);
  name.copy(address, 2);
  // Stays open: at the limit of open files, a server is not hung.
  const descriptor = libc.socket(unixFamily, datagram | closeOnExec, 0);
  if (descriptor < 0) return null;
  return (message) => {
    const bytes = Buffer.from(message);
    libc.sendto(descriptor, bytes, bytes.length, dontWait, address, 2 + name.length);
  };
}

/** Opens the C library of Linux: glibc or musl. */
function openLibc() {
  const { i32, u32, ptr, usize, isize } = typesOf;
  for (const library of ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'])
    try {
      return dlopen(library, {
        socket: { args: [i32, i32, i32], returns: i32 },
        sendto: { args: [i32, ptr, usize, i32, ptr, u32], returns: isize },
      }).symbols;
    } catch {
      // Another library, or another system.
    }
  return null;
}

const typesOf = {
  i32: FFIType.i32,
  u32: FFIType.u32,
  ptr: FFIType.ptr,
  usize: FFIType.u64,
  isize: FFIType.i64,
} as const;
