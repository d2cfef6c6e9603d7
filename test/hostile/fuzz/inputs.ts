import fc from 'fast-check';

/** Latin-1, one character a byte: rarely a control character, which ends most requests at once. */
const byte = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0x20, max: 0x7e }) },
  { weight: 5, arbitrary: fc.integer({ min: 0x80, max: 0xff }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x20 }) },
);
export const bytes = fc.string({
  unit: byte.map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

export const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
export const word = fc.oneof(
  bytes,
  fc.constantFrom('limit', 'offset', 'size', '__proto__', '%', '%00', '..'),
);
/** Printable ASCII, which a request line can carry. */
export const visible = fc.string({
  unit: fc.nat(93).map((at) => String.fromCharCode(33 + at)),
  maxLength: 40,
});

export const almostJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', '}', ',', '\\', '\0', '\ufeff', '/**/'))
  .map(([json, at, extra]) => {
    const cut = at % (json.length + 1);
    return json.slice(0, cut) + extra + json.slice(cut);
  });
export const likelyUrl = fc
  .tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://', 'http:/', 'https:\\\\', 'ftp://', '//', ''),
    fc.constantFrom('', 'user@', ':@', '/', '\\', '[', '%2f'),
    fc.oneof(
      fc.domain(),
      fc.ipV4Extended(),
      fc.ipV6().map((ip) => `[${ip}]`),
      text,
    ),
    fc.oneof(
      fc.constant(''),
      fc.nat(99_999).map((port) => `:${port}`),
    ),
    fc.oneof(text, fc.webPath(), bytes).map((path) => `/${path}`),
  )
  .map((parts) => parts.join(''));
