import fc from 'fast-check';

/** One thing that someone does. Numbers choose among what there is by then. */
export type Step =
  | {
      readonly do: 'create' | 'patch';
      readonly who: Who;
      readonly qr: Choice;
      readonly url: string;
    }
  | { readonly do: 'read' | 'stats' | 'image'; readonly who: Who; readonly qr: Choice }
  | { readonly do: 'list'; readonly who: Who; readonly limit: number; readonly offset: number }
  | { readonly do: 'scan'; readonly qr: Choice; readonly method: 'GET' | 'HEAD' }
  | { readonly do: 'pause' | 'resume'; readonly who: Who; readonly qr: Choice }
  | {
      readonly do: 'generate' | 'revoke' | 'expire' | 'renew' | 'use an old key';
      readonly who: Who;
    };

/** Which of the two accounts. */
export type Who = 0 | 1;

/** A QR of either account, or with `none` a code that nobody has. */
export interface Choice {
  readonly owner: Who;
  readonly nth: number;
  readonly none: boolean;
}

const who = fc.constantFrom<Who>(0, 1);
const qr = fc.record({ owner: who, nth: fc.nat(1000), none: fc.nat(19).map((n) => n === 0) });
const url = fc.oneof(
  { weight: 4, arbitrary: fc.nat(9999).map((n) => `https://example.org/${n}`) },
  { weight: 1, arbitrary: fc.constantFrom('ftp://example.org/', '', 'https://a b/', 'x') },
);

/** What happens, in the proportions in which it does; creating is dear, so there is less of it. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), who, qr, url }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('patch' as const), who, qr, url }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constantFrom('read' as const, 'stats', 'image'), who, qr }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('list' as const),
      who,
      limit: fc.integer({ min: 1, max: 8 }),
      offset: fc.nat(12),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('scan' as const),
      qr,
      method: fc.constantFrom('GET' as const, 'HEAD'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume'), who, qr }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'generate' as const,
        'generate',
        'revoke',
        'expire',
        'renew',
        'renew',
        'use an old key',
      ),
      who,
    }),
  },
);
