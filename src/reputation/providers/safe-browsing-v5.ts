import { expressionsOf, hashOf } from '../url/expressions.ts';
import { malformed, objectOf, type Protocol, safe } from './provider.ts';
import { type GoogleConnection, jsonOf, type ProviderResponse, request } from './request.ts';

const prefixBytes = 4;

/**
 * Creates the protocol of Google Safe Browsing v5, `hashes:search`, without local lists: sends the
 * first four bytes of the hashes of a URL's expressions. For non-commercial use.
 *
 * @see https://developers.google.com/safe-browsing/reference/rest/v5/hashes/search
 */
export function createSafeBrowsingV5(options: GoogleConnection): Protocol {
  const { key, url: base = 'https://safebrowsing.googleapis.com' } = options;
  return {
    name: 'v5',
    ask: async (url) => {
      const expressions = expressionsOf(url);
      const prefixes = expressions.map((expression) => hashOf(expression).subarray(0, prefixBytes));
      const query = new URLSearchParams(
        prefixes.map((prefix) => ['hashPrefixes', prefix.toBase64()]),
      );
      query.set('key', key);
      const response = await request(options, `${base}/v5/hashes:search?${query}`, {});
      const { threats, cacheMs } = parse(response);
      // Other full hashes with the same prefix belong to other URLs.
      const expression = expressions.find((text) => threats.has(hashOf(text).toHex()));
      return { verdict: expression === undefined ? safe : { unsafe: true, expression }, cacheMs };
    },
  };
}

function parse(response: ProviderResponse): HashSearch {
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/(?:[a-z.+-]*\+)?json\b/i.test(type))
    return hashSearchFromJson(jsonOf(response));
  // The page of a gateway could be a valid message by chance, and an empty body always is one.
  const isPage = /^text\/html\b/i.test(type);
  if (isPage || (response.body.length === 0 && !/protobuf|octet-stream/i.test(type)))
    throw malformed();
  return hashSearchFromProtobuf(response.body);
}

/** The response of `hashes:search` of Safe Browsing v5. */
interface HashSearch {
  /** Full hashes of threats in hexadecimal. */
  readonly threats: ReadonlySet<string>;
  readonly cacheMs: number;
}

interface FullHash {
  readonly hash: Uint8Array;
  /**
   * Whether it has a detail of a known type without attributes: CANARY is not to be enforced, FRAME_ONLY
   * concerns frames, and an unknown attribute invalidates its detail (Safe Browsing v5).
   */
  readonly isThreat: boolean;
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
 * @throws ProviderFailure when it is malformed
 * @see https://developers.google.com/safe-browsing/reference/rpc/google.security.safebrowsing.v5
 */
export function hashSearchFromProtobuf(bytes: Uint8Array): HashSearch {
  const response = fieldsOf(bytes);
  const fullHashes = bytesIn(response, 1).map((message) => {
    const fields = fieldsOf(message);
    const isThreat = bytesIn(fields, 2).some((detail) => {
      const parts = fieldsOf(detail);
      const hasAttributes = parts.some(({ number }) => number === 2);
      return threatTypes[numberIn(parts, 1) - 1] !== undefined && !hasAttributes;
    });
    return { hash: bytesIn(fields, 1).at(-1) ?? new Uint8Array(0), isThreat };
  });
  const duration = bytesIn(response, 2).at(-1) ?? new Uint8Array(0);
  return hashSearch(fullHashes, numberIn(fieldsOf(duration), 1));
}

/**
 * Parses the response in JSON, which the API's description promises though its service sends protobuf:
 * `{"fullHashes": [{"fullHash": base64, "fullHashDetails": [{"threatType": "…",
 * "attributes": ["…"]}]}], "cacheDuration": "300s"}`.
 *
 * @throws ProviderFailure when it is malformed
 */
function hashSearchFromJson(value: unknown): HashSearch {
  const { fullHashes = [], cacheDuration = '0s' } = objectOf(value);
  const parsed = listOf(fullHashes).map((entry) => {
    const { fullHash, fullHashDetails = [] } = objectOf(entry);
    const isThreat = listOf(fullHashDetails).some((detail) => {
      const { threatType, attributes = [] } = objectOf(detail);
      return threatTypes.includes(String(threatType)) && listOf(attributes).length === 0;
    });
    return { hash: new Uint8Array(Buffer.from(String(fullHash), 'base64')), isThreat };
  });
  const seconds = /^([0-9]+(?:\.[0-9]+)?)s$/.exec(String(cacheDuration))?.[1];
  if (seconds === undefined) throw malformed();
  return hashSearch(parsed, Number(seconds));
}

function hashSearch(fullHashes: readonly FullHash[], cacheSeconds: number): HashSearch {
  if (fullHashes.some(({ hash }) => hash.length !== 32)) throw malformed();
  const threats = fullHashes.filter(({ isThreat }) => isThreat).map(({ hash }) => hash.toHex());
  return { threats: new Set(threats), cacheMs: cacheSeconds * 1_000 };
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw malformed();
  return value;
}

/** A field of a protobuf message: a number (wire type 0) or bytes (wire type 2). */
interface Field {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/**
 * Splits a protobuf message into its fields. Fields of fixed width are skipped.
 *
 * @see https://protobuf.dev/programming-guides/encoding/
 */
function fieldsOf(message: Uint8Array): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const readVarint = () => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) break;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw malformed();
  };
  const take = (length: number) => {
    if (length > message.length - at) throw malformed();
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = readVarint();
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    if (wireType === 0) fields.push({ number, value: readVarint() });
    else if (wireType === 2) fields.push({ number, value: take(readVarint()) });
    else if (wireType === 1) take(8);
    else if (wireType === 5) take(4);
    else throw malformed();
  }
  return fields;
}

/** Returns the last number of a field, or 0. */
function numberIn(fields: readonly Field[], wanted: number): number {
  const values = fields.filter(({ number }) => number === wanted).map(({ value }) => value);
  return values.filter((value) => typeof value === 'number').at(-1) ?? 0;
}

/** Returns the byte strings or nested messages of a field. */
function bytesIn(fields: readonly Field[], wanted: number): Uint8Array[] {
  const values = fields.filter(({ number }) => number === wanted).map(({ value }) => value);
  return values.filter((value) => typeof value !== 'number');
}
