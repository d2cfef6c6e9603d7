import type { Answer } from '../../support/api.ts';

/** A code whose destination ends in a version, and what its clients know of it. */
export interface Code {
  readonly code: string;
  readonly index: number;
  /** Requests that were answered with a redirect. */
  redirects: number;
  /** Other requests: they may have been counted. */
  uncertain: number;
  /** The highest version that was answered, and the highest that was sent. */
  answeredVersion: number;
  sentVersion: number;
}

export function newCode(code: string, index: number): Code {
  return { code, index, redirects: 0, uncertain: 0, answeredVersion: 0, sentVersion: 0 };
}

const destinationOf = (index: number, version: number) =>
  `https://example.com/${index}?version=${version}`;

/**
 * Sends a request to a server, by default to one of its choice. Resolves with null if there is no result, and reports
 * that if it is a failure.
 */
export type Send<Server> = (
  path: string,
  init: RequestInit,
  server?: Server,
) => Promise<Answer | null>;

/**
 * Creates clients that scan and edit codes, and know what each response may say: no redirect is older than the last
 * answered edit, no answered edit is lost, and every scan is counted once.
 *
 * @param fail reports a wrong response
 */
export function createTraffic<Server>(
  key: string,
  send: Send<Server>,
  fail: (text: string) => void,
) {
  /** Returns the JSON, or null when there is no result. */
  const api = async (method: string, path: string, body?: unknown, server?: Server) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(`/api/v1/qrs${path}`, { method, headers, ...content }, server);
    // A result of the API is a code, or a list of which nothing is read.
    return answer && (answer.json as { code: string; scans: number; destination: string });
  };
  const versionIn = ({ index, sentVersion }: Code, destination: string) => {
    const version = Number(destination.split('=')[1]);
    if (destination !== destinationOf(index, version)) fail(`wrong: ${destination}`);
    if (version > sentVersion) fail(`never sent: ${destination}`);
    return version;
  };
  return {
    api,
    create: async (index: number, server?: Server): Promise<Code> => {
      const created = await api('POST', '', { url: destinationOf(index, 0) }, server);
      if (created === null) throw new Error('no code was created');
      return newCode(created.code, index);
    },
    /** Returns the version that a code redirects to, or null when it does not. */
    scan: async (code: Code, server?: Server): Promise<number | null> => {
      const atLeast = code.answeredVersion;
      const answer = await send(`/${code.code}`, { headers: { 'User-Agent': 'iPhone' } }, server);
      if (answer === null) {
        code.uncertain++;
        return null;
      }
      if (answer.status !== 302) fail(`no redirect: ${answer.status}`);
      code.redirects++;
      const version = versionIn(code, answer.headers.get('location') ?? '');
      if (version < atLeast) fail(`stale: ${code.code} has ${version} after ${atLeast}`);
      return version;
    },
    /** Gives a code its next version. Returns whether this was answered with success. */
    edit: async (code: Code, server?: Server): Promise<boolean> => {
      const version = ++code.sentVersion;
      const url = destinationOf(code.index, version);
      const edited = await api('PATCH', `/${code.code}`, { url }, server);
      if (edited === null) return false;
      if (versionIn(code, edited.destination) !== version) fail(`not edited: ${code.code}`);
      code.answeredVersion = version;
      return true;
    },
    /** Reads a code, and checks its destination and its scans, none of which may be under way. */
    check: async (code: Code, server?: Server): Promise<void> => {
      const found = await api('GET', `/${code.code}`, undefined, server);
      if (found === null) return fail(`not read: ${code.code}`);
      const version = versionIn(code, found.destination);
      if (version < code.answeredVersion) fail(`lost: ${code.code} has version ${version}`);
      const { redirects, uncertain } = code;
      if (found.scans < redirects || found.scans > redirects + uncertain)
        fail(`${code.code}: ${found.scans} scans of ${redirects} (+ ${uncertain})`);
    },
  };
}

export const isRefused = (errno: string): boolean =>
  /^(ConnectionRefused|ECONNREFUSED)$/.test(errno);
