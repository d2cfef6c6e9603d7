import { bytesIn, fieldsOf, MalformedMessage, numbersIn } from './protobuf.ts';
import { maxCacheMs } from './protocol.ts';
import { isObject } from './request.ts';

/** The response of `hashes:search` of Safe Browsing v5. */
export interface HashSearch {
  /** Threat types by full hash in hexadecimal. */
  readonly threats: ReadonlyMap<string, readonly string[]>;
  readonly cacheMs: number;
}

const threatTypes = [
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
];

/**
 * Parses the response in protobuf:
 *   SearchHashesResponse { repeated FullHash full_hashes = 1; Duration cache_duration = 2; }
 *   FullHash { bytes full_hash = 1; repeated FullHashDetail full_hash_details = 2; }
 *   FullHashDetail { ThreatType threat_type = 1; repeated ThreatAttribute attributes = 2; }
 *   Duration { int64 seconds = 1; int32 nanos = 2; }
 *
 * @throws MalformedMessage
 * @see https://developers.google.com/safe-browsing/reference/rpc/google.security.safebrowsing.v5
 */
export function hashSearchFromProtobuf(bytes: Uint8Array): HashSearch {
  const response = fieldsOf(bytes);
  const found = bytesIn(response, 1).map((message) => {
    const fields = fieldsOf(message);
    const details = bytesIn(fields, 2).map((detail) => {
      const parts = fieldsOf(detail);
      const type = Number(numbersIn(parts, 1).at(-1) ?? 0n);
      return { type: threatTypes[type - 1], attributes: numbersIn(parts, 2).length };
    });
    return { hash: bytesIn(fields, 1).at(-1) ?? new Uint8Array(0), details };
  });
  const duration = bytesIn(response, 2).at(-1);
  const seconds = duration === undefined ? 0n : (numbersIn(fieldsOf(duration), 1).at(-1) ?? 0n);
  return { threats: threatsOf(found), cacheMs: cacheMsOf(Number(BigInt.asIntN(64, seconds))) };
}

/**
 * Parses the response in JSON: `{"fullHashes": [{"fullHash": base64, "fullHashDetails": [{"threatType": "…",
 * "attributes": ["…"]}]}], "cacheDuration": "300s"}`.
 *
 * @throws MalformedMessage
 */
export function hashSearchFromJson(value: unknown): HashSearch {
  const { fullHashes = [], cacheDuration = '0s' } = objectOf(value);
  const found = listOf(fullHashes).map((entry) => {
    const { fullHash, fullHashDetails = [] } = objectOf(entry);
    if (typeof fullHash !== 'string') throw new MalformedMessage('A hash is missing.');
    const details = listOf(fullHashDetails).map((detail) => {
      const { threatType, attributes = [] } = objectOf(detail);
      const type = threatTypes.find((known) => known === threatType);
      return { type, attributes: listOf(attributes).length };
    });
    return { hash: new Uint8Array(Buffer.from(fullHash, 'base64')), details };
  });
  const seconds = /^([0-9]+(?:\.[0-9]+)?)s$/.exec(String(cacheDuration))?.[1];
  if (seconds === undefined)
    throw new MalformedMessage('The cache duration is not a number of seconds.');
  return { threats: threatsOf(found), cacheMs: cacheMsOf(Number(seconds)) };
}

interface Found {
  readonly hash: Uint8Array;
  readonly details: readonly { readonly type: string | undefined; readonly attributes: number }[];
}

/**
 * Keeps details of a known type without attributes: CANARY is not to be enforced, FRAME_ONLY concerns
 * frames, and an unknown attribute invalidates its detail (Safe Browsing v5).
 */
function threatsOf(found: readonly Found[]): Map<string, string[]> {
  const threats = new Map<string, string[]>();
  for (const { hash, details } of found) {
    if (hash.length !== 32) throw new MalformedMessage('A hash does not have 32 bytes.');
    const types = details
      .filter(({ attributes }) => attributes === 0)
      .map(({ type }) => type)
      .filter((type) => type !== undefined);
    if (types.length > 0) threats.set(Buffer.from(hash).toString('hex'), types);
  }
  return threats;
}

function cacheMsOf(seconds: number): number {
  return Math.min(Math.max(0, seconds * 1_000), maxCacheMs);
}

function objectOf(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new MalformedMessage('A value is not an object.');
  return value;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new MalformedMessage('A value is not a list.');
  return value;
}
