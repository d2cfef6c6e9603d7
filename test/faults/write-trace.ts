/** What a program did to its files, and when it answered, in order. */
export type Event =
  | { readonly what: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly what: 'truncate'; readonly file: string; readonly size: number }
  | { readonly what: 'sync'; readonly file: string }
  | { readonly what: 'answer'; readonly status: number };

/** What strace has to be told, so that {@link eventsIn} can read what it writes. */
export const traceFlags = ['-y', '-xx', '-s', '70000'];
export const traceCalls = 'trace=pwrite64,ftruncate,fsync,fdatasync,sendto,write,writev,sendmsg';

const unhex = (text: string) => Buffer.from(text.replaceAll('\\x', ''), 'hex');
const answerHead = Buffer.from('HTTP/1.1 ').toString('hex').replaceAll(/../g, '\\x$&');

/** Reads a trace. A sync counts once it has returned, a write as soon as it is made. */
export function* eventsIn(trace: string): Generator<Event> {
  const syncing = new Map<string, string>();
  for (const line of trace.split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const [, call = '', path = ''] = /^(\w+)\(\d+<((?:\\x..)*)>/.exec(rest) ?? [];
    const file = unhex(path).toString().split('/').at(-1) ?? '';
    if (/^<\.\.\. f(data)?sync resumed/.test(rest)) {
      yield { what: 'sync', file: syncing.get(pid) ?? '' };
    } else if (/^f(data)?sync$/.test(call)) {
      if (rest.includes('unfinished')) syncing.set(pid, file);
      else yield { what: 'sync', file };
    } else if (call === 'pwrite64') {
      const [, bytes = '', at] = /"((?:\\x..)*)", \d+, (\d+)/.exec(rest) ?? [];
      yield { what: 'write', file, at: Number(at), bytes: unhex(bytes) };
    } else if (call === 'ftruncate') {
      yield { what: 'truncate', file, size: Number(/, (\d+)/.exec(rest)?.[1]) };
    } else if (rest.includes(answerHead)) {
      const at = rest.indexOf(answerHead) + answerHead.length;
      yield { what: 'answer', status: Number(unhex(rest.slice(at, at + 12)).toString()) };
    }
  }
}

/** The disk's own view of a file: what is certain, and what may or may not have been written yet. */
export interface DiskFile {
  certain: Buffer;
  readonly pending: Extract<Event, { what: 'write' | 'truncate' }>[];
}

function applied(content: Buffer, event: DiskFile['pending'][number]): Buffer {
  if (event.what === 'truncate') {
    const cut = Buffer.alloc(event.size);
    content.copy(cut, 0, 0, event.size);
    return cut;
  }
  const { at, bytes } = event;
  const grown = content.length >= at + bytes.length ? content : Buffer.alloc(at + bytes.length);
  if (grown !== content) content.copy(grown);
  bytes.copy(grown, at);
  return grown;
}

/** Everything that was pending is certain now. */
export function synced(file: DiskFile): void {
  for (const event of file.pending.splice(0)) file.certain = applied(file.certain, event);
}

const sectorBytes = 512;

/**
 * A file as a power cut may leave it: of what was not synced, any sectors have been written.
 *
 * @param keeps decides of each sector, and of each change of length
 */
export function afterPowerCut(file: DiskFile, keeps: () => boolean): Buffer {
  let content: Buffer = Buffer.from(file.certain);
  for (const event of file.pending) {
    if (event.what === 'truncate') {
      if (keeps()) content = applied(content, event);
      continue;
    }
    for (let at = 0; at < event.bytes.length; ) {
      const end = Math.min(event.bytes.length, at + sectorBytes - ((event.at + at) % sectorBytes));
      const part = { ...event, at: event.at + at, bytes: event.bytes.subarray(at, end) };
      if (keeps()) content = applied(content, part);
      at = end;
    }
  }
  return content;
}
