import { createCache } from '../../lib/cache.ts';
import { type ReadabilityResult, withLogoPlacement } from '../designs/design.ts';
import { ApiError } from '../errors.ts';
import type {
  Clock,
  DesignStore,
  IdempotencyKey,
  QrStore,
  RandomBytes,
  Renderer,
  Reputation,
} from '../ports.ts';
import { flagSource } from '../safety/flag.ts';
import { newCode } from './code.ts';
import { parseDestination } from './destination.ts';
import type { Qr, QrImageSource } from './qr.ts';

/** Where links live. All without a trailing slash. */
export interface ShortUrlSettings {
  /** Base of the short links of new codes. */
  readonly shortUrl: string;
  /** Every base under which this server answers short links, the current one included. */
  readonly prefixes: readonly string[];
  /** Write short links in capitals, so that they encode in alphanumeric mode. */
  readonly isDense: boolean;
}

export interface Page {
  readonly qrs: readonly Qr[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export type ImageFormat = 'png' | 'svg';

/** How wide a PNG can be asked for, in pixels (DESIGN, "`?size=` on PNG"). */
export const imageWidthPxRange = { default: 1024, min: 128, max: 4096 } as const;

/** What an account can do with its QRs. The API and the panel both stand on this. */
export type Qrs = ReturnType<typeof createQrs>;

// Images never change, and one that was asked for is often asked for again: a page that shows it, a
// download in another tab. At most twice as many bytes are kept; at the default size a plain image
// takes one kilobyte, one with a logo some ten.
const cachedImageBytes = 8 * 1024 * 1024;

// Two generations of this many codes: some megabytes.
const rememberedCodes = 10_000;

// Two codes of 40 random bits meet once in a million creates when a million codes exist.
const codeTries = 5;

export function createQrs(world: {
  store: QrStore;
  designs: DesignStore;
  renderer: Renderer;
  reputation: Reputation & {
    /** Differs after every change of the lists that destinations are held against. */
    generation(): string;
  };
  clock: Clock;
  randomBytes: RandomBytes;
  bases: ShortUrlSettings;
}) {
  const { store, designs, renderer, reputation, clock, randomBytes, bases } = world;

  const images = createCache<string, Uint8Array>(cachedImageBytes, (image) => image.length);

  /** Never out of date: nothing of it changes, and no QR is ever deleted. */
  const prints = createCache<string, QrImageSource>(rememberedCodes);

  /**
   * Refuses a destination that is flagged.
   *
   * @returns `needsRecheck`, to be called when the destination is stored. It tells whether the destination
   *   has to be looked at again, because it could not be checked fully or because the lists have changed
   *   since: whoever looks at all stored destinations for that change need not have met this one
   * @throws ApiError unsafe_url, and what the reputation throws
   */
  const refuseDangerous = async (destination: string): Promise<() => boolean> => {
    const generation = reputation.generation();
    const answer = await reputation.check(destination);
    if (answer.flagged)
      throw new ApiError(
        'unsafe_url',
        `The destination is flagged as dangerous: ${reasonOf(answer.list, answer.expression)}.`,
      );
    const needsRecheck = () => answer.checked !== 'fully' || reputation.generation() !== generation;
    return needsRecheck;
  };

  const owned = async (accountId: number, code: string | null): Promise<Qr> => {
    const qr = code === null ? null : await store.find(accountId, code);
    if (qr === null) throw noSuchQr();
    return qr;
  };

  return {
    /**
     * Creates a dynamic QR in the account's default design (SPEC rule 1), proven readable (rule 5).
     *
     * @param url the destination as the client sent it, whatever type it has
     * @param retry names the request, so that a repeated one is answered with the first result
     * @throws ApiError invalid_url, unsafe_url or design_unreadable; nothing was created then
     */
    create: async (accountId: number, url: unknown, retry: IdempotencyKey | null): Promise<Qr> => {
      const parsed = parseDestination(url, bases.prefixes);
      const earlier = retry && (await store.findByIdempotencyKey(retry));
      if (earlier) return asCreated(earlier, parsed);
      const needsRecheck = await refuseDangerous(parsed);
      const { id: designId, design } = await designs.findDefault(accountId);
      for (let tries = 0; tries < codeTries; tries++) {
        const code = newCode(randomBytes);
        const shortLink = shortLinkOf(code, bases);
        const { svgHash, ...verdict } = await renderer.checkReadability(shortLink, design);
        if (!verdict.isReadable) throw new ApiError('design_unreadable', whatToChange(verdict));
        const qr = {
          code,
          accountId,
          designId,
          logoPlacement: verdict.logoPlacement,
          shortLink,
          destination: parsed,
          createdAtMs: clock.nowMs(),
          imageHash: svgHash,
        };
        const outcome = await store.insert(qr, retry, needsRecheck());
        if (outcome === 'taken') continue;
        if (outcome !== 'stored') return asCreated(outcome.earlier, parsed);
        return owned(accountId, code);
      }
      throw new Error(`no free code in ${codeTries} tries`);
    },

    /** @throws ApiError not_found, also for another account's code (SPEC rule 6) */
    get: owned,

    /**
     * What of a QR never changes, from memory where it was asked for lately.
     *
     * @throws ApiError not_found, as for `get`
     */
    imageSource: async (accountId: number, code: string | null): Promise<QrImageSource> => {
      const known = code === null ? undefined : prints.get(code);
      if (known?.accountId === accountId) return known;
      const qr = await owned(accountId, code);
      const { id, code: own, designId, logoPlacement, shortLink, imageHash } = qr;
      const printed = { id, code: own, accountId, designId, logoPlacement, shortLink, imageHash };
      prints.set(own, printed);
      return printed;
    },

    /** A page of the account's QRs, newest first. */
    list: async (accountId: number, limit: number, offset: number): Promise<Page> => ({
      ...(await store.listPage(accountId, limit, offset)),
      limit,
      offset,
    }),

    /**
     * Leads the QR elsewhere; code, short link and images stay.
     *
     * @param url read only once the QR is known to be the account's
     * @throws ApiError not_found, then whatever `url` throws, then invalid_url or unsafe_url
     */
    changeDestination: async (
      accountId: number,
      code: string | null,
      url: () => Promise<unknown>,
    ): Promise<Qr> => {
      const qr = await owned(accountId, code);
      const destination = parseDestination(await url(), bases.prefixes);
      const needsRecheck = await refuseDangerous(destination);
      const changed = await store.changeDestination(
        accountId,
        qr.code,
        destination,
        clock.nowMs(),
        needsRecheck(),
      );
      if (changed === null) throw noSuchQr();
      return changed;
    },

    /**
     * Pauses a QR or lets it redirect again. What the operator has blocked stays blocked.
     *
     * @returns the QR as it is then
     * @throws ApiError not_found
     */
    setPaused: async (accountId: number, code: string | null, paused: boolean): Promise<Qr> => {
      const { code: own } = await owned(accountId, code);
      const [from, to] = paused ? (['active', 'paused'] as const) : (['paused', 'active'] as const);
      const changed = await store.changeStatus(accountId, own, from, to);
      if (changed === null) throw noSuchQr();
      return changed;
    },

    /** The image of a QR, the same bytes for as long as the QR lives. `widthPx` counts for PNG. */
    image: async (qr: QrImageSource, format: ImageFormat, widthPx: number): Promise<Uint8Array> => {
      const name = `${qr.id} ${format} ${widthPx}`;
      const known = images.get(name);
      if (known !== undefined) return known;
      const design = withLogoPlacement(await designs.find(qr.designId), qr.logoPlacement);
      const image = await (format === 'svg'
        ? renderer.svg(qr.shortLink, design)
        : renderer.png(qr.shortLink, design, widthPx));
      images.set(name, image);
      return image;
    },
  };
}

function shortLinkOf(code: string, { shortUrl, isDense }: ShortUrlSettings): string {
  const link = `${shortUrl}/${code}`;
  return isDense ? link.toUpperCase() : link;
}

/** A short link such as new codes get, to judge and show a design on. */
export function sampleShortLink(
  bases: Pick<ShortUrlSettings, 'shortUrl'> & { denseLinks: boolean },
): string {
  return shortLinkOf('7h3k9m2x', { ...bases, prefixes: [], isDense: bases.denseLinks });
}

/** A QR as it was when its POST was first answered. */
function asCreated(qr: Qr, destination: string): Qr {
  return { ...qr, destination, status: 'active', scans: 0, lastScanMs: null, flag: null };
}

/** Why a design is refused and what would be right, as one paragraph. */
function whatToChange(verdict: Pick<ReadabilityResult, 'reasons' | 'advice'>): string {
  const reasons = verdict.reasons.join(' ');
  const advice = verdict.advice === null ? '' : ` ${verdict.advice.message}`;
  return `The default design of this account does not produce a readable QR. ${reasons}${advice}`;
}

function reasonOf(list: string, expression: string): string {
  return {
    operator: `the operator of this server has blocked "${expression}"`,
    'built-in': `"${expression}" is published for trying such checks out`,
    'remote check': `the remote check "${list}" flags "${expression}"`,
    'imported list': `"${expression}" is on the list "${list}"`,
  }[flagSource(list)];
}

function noSuchQr(): ApiError {
  return new ApiError('not_found', 'There is no QR with this code.');
}
