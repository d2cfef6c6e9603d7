import { createCache } from '../../lib/cache.ts';
import { type Design, type ReadabilityResult, withLogoPlacement } from '../designs/design.ts';
import type { DesignStore, Renderer, RendererFor } from '../designs/ports.ts';
import { hashSamplePng } from '../designs/sample-png.ts';
import { ApiError, StoreUnavailable } from '../errors.ts';
import { requesterOf, type WorkOptions } from '../fair-queue.ts';
import type { Acting, Clock, RandomBytes } from '../ports.ts';
import { newCode, parseCode } from './code.ts';
import { mapLabels, type QrLabels } from './fields.ts';
import type { IdempotencyKey } from './idempotency.ts';
import type { DomainStore, LinkImportStore, QrStore, Reputation } from './ports.ts';
import { imageSourceOf, type NewQr, type Qr, type QrImageSource } from './qr.ts';
import { parseDestination } from './urls/destination.ts';
import { createDestinationCheck } from './urls/destination-check.ts';
import { requireNoLoop } from './urls/loops.ts';
import { createNewDomains } from './urls/new-domain.ts';
import { requireNewPath } from './urls/new-path.ts';
import { type ShortUrlSettings, sampleCode, shortLinkOf } from './urls/short-url.ts';
import { changeLabels, pathRefused } from './urls/typed-path.ts';

export type ImageFormat = 'png' | 'svg';

/** Bounds of the width of a PNG in pixels (DESIGN, "`?size=` on PNG"). */
export const imageWidthPxRange = { default: 1024, min: 128, max: 4096 } as const;
/** Widths of a PNG, in pixels, that people choose from. */
export const offeredPngWidthsPx = [512, 1024, 2048, 4096] as const;

export type Qrs = ReturnType<typeof createQrs>;

// At the default size a plain image takes a kilobyte, one with a logo about ten.
const imageCacheBytes = 8 * 1024 * 1024;

// A few megabytes. Saves a third of the time of a repeated download.
const imageSourceCacheSize = 10_000;

/** Other codes that a create tries. */
const maxRetries = 2;

/** Labels, see `labelFields`, and the design, by default the account's. */
export interface CreateOptions extends Partial<QrLabels> {
  /** Must be a design of the account. */
  readonly designId?: number;
  /** A domain beside the main one. By default that of the account. */
  readonly domain?: string | undefined;
  /** How the check of its image waits. */
  readonly work?: WorkOptions;
}

/** The result of a create. */
export interface CreatedQr {
  readonly qr: Qr;
  /** Whether an earlier request with the same idempotency key created it. */
  readonly isReplayed: boolean;
}

/** A QR that passed all checks and is not stored yet. */
export interface PreparedQr {
  readonly qr: NewQr;
  readonly needsRecheck: boolean;
}

/** Manages the codes of accounts, for the API and the panel. */
export function createQrs(deps: {
  store: QrStore;
  linkImports: Pick<LinkImportStore, 'at'>;
  designs: DesignStore;
  rendererFor: RendererFor;
  reputation: Reputation;
  clock: Clock;
  randomBytes: RandomBytes;
  shortUrls: ShortUrlSettings;
  /** Default: the main domain alone. */
  domains?: DomainStore;
}) {
  const { store, designs, rendererFor, clock, randomBytes, shortUrls, domains } = deps;

  const server = { links: deps.linkImports, prefixes: shortUrls.prefixes, domains };
  const { rejectUnsafe, checkDestination } = createDestinationCheck(deps);
  const newDomains = createNewDomains({ domains, shortUrl: shortUrls.shortUrl });

  const images = createCache<string, Uint8Array>(imageCacheBytes, (image) => image.length);

  // Needs no invalidation: the fields are immutable, and QRs are never deleted.
  const imageSources = createCache<string, OwnedImage>(imageSourceCacheSize);

  // The path of an imported link may look like a code in capitals.
  const find = async (accountId: number, code: string): Promise<Qr | null> =>
    (await store.find(accountId, code)) ?? (await findInLowerCase(accountId, code));
  const owned = async (accountId: number, code: string | null): Promise<Qr> => {
    const qr = code && (await find(accountId, code));
    if (!qr) throw noSuchQr();
    return qr;
  };
  const findInLowerCase = async (accountId: number, text: string): Promise<Qr | null> => {
    const code = parseCode(text);
    return code === null || code === text ? null : store.find(accountId, code);
  };

  /**
   * Chooses a random code, draws it in a design and reads it back.
   *
   * @returns the last code that was tried, which is unreadable if the design is
   */
  const chooseCode = async (renderer: Renderer, design: Design, shortUrl: string) => {
    const { isDense } = shortUrls;
    const check = async (code: string) => {
      const shortLink = shortLinkOf(code, { shortUrl, isDense });
      return { code, shortLink, ...(await renderer.checkImage(shortLink, design)) };
    };
    const checkNew = () => check(newCode(randomBytes));
    const first = await checkNew();
    // With some logos, one code in a hundred is unreadable. Others help only a design whose sample is readable.
    if (first.isReadable || !(await check(sampleCode)).isReadable) return first;
    let checked = await checkNew();
    for (let retries = 1; retries < maxRetries && !checked.isReadable; retries++)
      checked = await checkNew();
    return checked;
  };

  const designOf = async (accountId: number, designId: number | undefined) =>
    designId === undefined
      ? designs.findDefault(accountId)
      : { id: designId, design: await designs.find(designId) };

  const prepare = async (
    accountId: number,
    destination: string,
    { designId, work, domain, ...labels }: CreateOptions,
  ): Promise<PreparedQr> => {
    // A stored row of a table may be older than the rules of paths.
    const { path = null } = labels;
    if (path !== null) requireNewPath(path);
    const shortUrl = await (domain === undefined
      ? newDomains.defaultOf(accountId, labels.folder ?? null)
      : newDomains.require(accountId, domain));
    await requireNoLoop({ code: '', path, shortLink: shortUrl }, destination, server);
    const needsRecheck = await rejectUnsafe(destination);
    const { id, design } = await designOf(accountId, designId);
    const renderer = rendererFor(requesterOf(accountId, work));
    const { code, shortLink, svgHash, ...readability } = await chooseCode(
      renderer,
      design,
      shortUrl,
    );
    if (!readability.isReadable) throw unreadable(readability, designId);
    if ((await designs.pngHash(id)) === null)
      await designs.recordPngHash(id, await hashSamplePng(renderer, design));
    const { logoPlacement } = readability;
    const qr = {
      ...mapLabels((name) => labels[name] ?? null),
      code,
      accountId,
      image: { designId: id, logoPlacement, imageHash: svgHash },
      shortLink,
      destination,
      createdAtMs: clock.nowMs(),
    };
    return { qr, needsRecheck };
  };

  return {
    /**
     * Creates a dynamic QR in the account's default design (SPEC rule 1) if it is readable (rule 5).
     *
     * @param url the destination as sent, of any type
     * @param key a repeated request with an equal key returns the first result
     * @throws ApiError invalid_url, unsafe_url or design_unreadable; nothing is created then
     * @throws Refused when its path cannot be had
     * @throws StoreUnavailable when the new code exists: with a million codes, once in a million creates
     */
    create: async (
      { accountId, by }: Acting,
      url: unknown,
      key: IdempotencyKey | null,
      options: CreateOptions = {},
    ): Promise<CreatedQr> => {
      const destination = parseDestination(url, shortUrls.prefixes);
      const earlier = key && (await store.findByIdempotencyKey(key));
      if (earlier) return { qr: asCreated(earlier, destination), isReplayed: true };
      const { qr, needsRecheck } = await prepare(accountId, destination, options);
      const outcome = await store.insert(qr, key, by, needsRecheck);
      if (outcome === 'taken') throw new StoreUnavailable('the new code exists already');
      if (typeof outcome === 'string') throw pathRefused(outcome, qr.path ?? '');
      return 'stored' in outcome
        ? { qr: outcome.stored, isReplayed: false }
        : { qr: asCreated(outcome.earlier, destination), isReplayed: true };
    },

    /**
     * Does what `create` does, except storing the QR.
     *
     * @throws ApiError invalid_url, unsafe_url or design_unreadable
     */
    prepare: (accountId: number, url: unknown, options: CreateOptions): Promise<PreparedQr> =>
      prepare(accountId, parseDestination(url, shortUrls.prefixes), options),

    checkDestination,
    newDomains,

    /** Returns a QR. @throws ApiError not_found, also for another account's code (SPEC rule 6) */
    get: owned,

    /**
     * Returns the immutable fields of a QR, cached.
     *
     * @throws ApiError not_found, also for an imported link
     */
    imageSource: async (accountId: number, code: string | null): Promise<QrImageSource> => {
      const known = code === null ? undefined : imageSources.get(code);
      if (known?.accountId === accountId) return known;
      const qr = await owned(accountId, code);
      const source = imageSourceOf(qr);
      if (source === null)
        throw new ApiError('not_found', { kind: 'no image of an imported link' });
      imageSources.set(qr.code, { ...source, accountId });
      return source;
    },

    /**
     * Returns whether a name such as `menu.png` is an imported link of the account.
     * It is not if it is the image of one of its codes (DESIGN, "imported paths that look like an image").
     *
     * @param code what stands before the ending
     */
    isLinkNamedLikeImage: async (
      accountId: number,
      name: string | null,
      code: string | null,
    ): Promise<boolean> => {
      if (name === null || (code !== null && imageSources.get(code)?.accountId === accountId))
        return false;
      const imaged = code === null ? null : await find(accountId, code);
      return (imaged?.image ?? null) === null && (await store.find(accountId, name)) !== null;
    },

    list: store.listPage,

    /**
     * Changes the destination. Code, short link and images stay.
     *
     * @param readUrl called once the QR is known to be the account's
     * @throws ApiError not_found, then what `readUrl` throws, then invalid_url or unsafe_url
     */
    changeDestination: async (
      acting: Acting,
      code: string | null,
      readUrl: () => Promise<unknown>,
    ): Promise<Qr> => {
      const qr = await owned(acting.accountId, code);
      const destination = parseDestination(await readUrl(), shortUrls.prefixes);
      const needsRecheck = await rejectUnsafe(destination);
      const changed = await store.changeDestination(
        acting,
        qr.code,
        destination,
        clock.nowMs(),
        needsRecheck,
      );
      if (changed === null) throw noSuchQr();
      return changed;
    },

    /**
     * Changes labels, or archives. What is undefined stays.
     *
     * @param labels see `labelFields`
     * @throws ApiError not_found
     * @throws Refused when the path cannot be had
     */
    changeLabels: async (
      acting: Acting,
      code: string | null,
      labels: Partial<QrLabels & Pick<Qr, 'isArchived'>>,
    ): Promise<Qr> => {
      const own = await owned(acting.accountId, code);
      const changed = await changeLabels({ store, ...server }, acting, own, labels, clock.nowMs());
      if (changed === null) throw noSuchQr();
      return changed;
    },

    /**
     * Pauses or resumes a QR. A blocked one stays blocked.
     *
     * @param message what the page of the paused QR says; null for what its account says
     * @throws ApiError not_found
     */
    setPaused: async (
      acting: Acting,
      code: string | null,
      paused: boolean,
      message?: string | null,
    ): Promise<Qr> => {
      const { code: own } = await owned(acting.accountId, code);
      const [from, to] = paused ? (['active', 'paused'] as const) : (['paused', 'active'] as const);
      const changed = await store.changeStatus(acting, own, from, to, clock.nowMs(), message);
      if (changed === null) throw noSuchQr();
      return changed;
    },

    /**
     * Changes what the page of a paused QR says; null is for what its account says.
     * Another QR stays as it is.
     *
     * @throws ApiError not_found
     */
    changePausedMessage: async (
      acting: Acting,
      code: string | null,
      message: string | null,
    ): Promise<void> => {
      const { code: own } = await owned(acting.accountId, code);
      await store.changeStatus(acting, own, 'paused', 'paused', clock.nowMs(), message);
    },

    /** Returns what the page of a QR says while it is paused, or null for a QR without an account. */
    pausedTexts: ({ id }: Pick<Qr, 'id'>) => store.pausedTexts(id),

    /** Returns an image of an account's QR. Equal arguments give equal bytes. `widthPx` applies to PNG. */
    image: async (
      accountId: number,
      qr: QrImageSource,
      format: ImageFormat,
      widthPx: number,
      work?: WorkOptions,
    ): Promise<Uint8Array> => {
      const cacheKey = `${qr.code} ${format} ${widthPx}`;
      const cached = images.get(cacheKey);
      if (cached !== undefined) return cached;
      const design = withLogoPlacement(await designs.find(qr.designId), qr.logoPlacement);
      const renderer = rendererFor(requesterOf(accountId, work));
      const image = await (format === 'svg'
        ? renderer.svg(qr.shortLink, design)
        : renderer.png(qr.shortLink, design, widthPx));
      images.set(cacheKey, image);
      return image;
    },
  };
}

type OwnedImage = QrImageSource & Pick<Qr, 'accountId'>;

/** Returns a QR as the first response to its POST showed it. */
function asCreated(qr: Qr, destination: string): Qr {
  return { ...qr, destination, status: 'active', scans: 0, lastScanMs: null, flag: null };
}

/** Returns why no code can be created in a design, which is that of an account when it has no id. */
function unreadable(
  { reasons, advice }: ReadabilityResult,
  designId: number | undefined,
): ApiError {
  const isDefault = designId === undefined;
  return new ApiError('design_unreadable', {
    kind: 'design unreadable',
    isDefault,
    reasons,
    advice,
  });
}

function noSuchQr(): ApiError {
  return new ApiError('not_found', { kind: 'no such code' });
}
