/** What Safe Browsing v5 calls a FullHashDetail: the numbers of its enumerations. */
interface Detail {
  readonly type: number;
  readonly attributes?: readonly number[];
}

export interface Found {
  readonly hash: Uint8Array;
  readonly details: readonly Detail[];
}

/** A field as protobuf.dev writes it, made independently of the reader. */
function lengthDelimited(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([field * 8 + 2, ...varint(bytes.length)]), bytes]);
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value % 0x80) + 0x80, ...varint(Math.floor(value / 0x80))];
}

/** A SearchHashesResponse in protobuf. */
export function protobuf(found: readonly Found[], cacheSeconds: number): Uint8Array<ArrayBuffer> {
  const hashes = found.map(({ hash, details }) => {
    const encoded = details.map(({ type, attributes = [] }) => {
      const packed =
        attributes.length === 0 ? Buffer.alloc(0) : lengthDelimited(2, Buffer.from(attributes));
      return lengthDelimited(2, Buffer.concat([Buffer.from([8, ...varint(type)]), packed]));
    });
    return lengthDelimited(1, Buffer.concat([lengthDelimited(1, hash), ...encoded]));
  });
  const duration = lengthDelimited(2, Buffer.from([8, ...varint(cacheSeconds)]));
  return new Uint8Array(Buffer.concat([...hashes, duration]));
}

const names = [
  '',
  'MALWARE',
  'SOCIAL_ENGINEERING',
  'UNWANTED_SOFTWARE',
  'POTENTIALLY_HARMFUL_APPLICATION',
];

/** The same in JSON. */
export function json(found: readonly Found[], cacheSeconds: number): object {
  const fullHashes = found.map(({ hash, details }) => ({
    fullHash: Buffer.from(hash).toString('base64'),
    fullHashDetails: details.map(({ type, attributes }) => ({
      threatType: names[type] ?? `NEW_${type}`,
      ...(attributes === undefined
        ? {}
        : { attributes: attributes.map((number) => (number === 1 ? 'CANARY' : 'FRAME_ONLY')) }),
    })),
  }));
  return { ...(fullHashes.length === 0 ? {} : { fullHashes }), cacheDuration: `${cacheSeconds}s` };
}
