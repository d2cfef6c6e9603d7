/** @jsxImportSource preact */
import { parseCodeOrPath } from '../../../core/codes/code.ts';
import { dailyCsvHead, dailyCsvLines } from '../../../core/scans/daily-csv.ts';
import type { PanelDeps } from '../../request/deps.ts';
import type { SignedInContext } from '../../request/request.ts';
import { csvResponse } from '../../routing/downloads.ts';
import { pageNotFound, scansBeingCounted } from '../../routing/errors.tsx';
import { page, redirectTo, reloading } from '../../routing/responses.tsx';
import { type Route, viewer } from '../../routing/route.ts';
import { DialogActions, DialogPage } from '../../ui/dialog.tsx';
import { ButtonLink } from '../../ui/page-context.tsx';
import { titleOf } from '../code-label.tsx';
import { keepChartLength, readChartPeriod } from '../scans/chart-period.tsx';
import { maxSelectionBytes, readSelection, searchText } from '../selection.ts';
import { AddPage } from './add-page.tsx';
import { ComparePage } from './compare-page.tsx';
import {
  type Compared,
  type ComparedKey,
  comparePath,
  maxCompared,
  minCompared,
  readCompared,
  readComparedScans,
} from './compared.ts';
import { comparisonRefusal } from './sentences.ts';

const reloadSeconds = 5;
/** Codes and folders that the page to add one shows. */
const shownChoices = 10;

/** Creates the routes that compare codes and folders. */
export function compareRoutes(deps: PanelDeps): Route[] {
  const { qrs, lists, searchTerm } = deps;

  const show = async (context: SignedInContext) => {
    const keys = readCompared(context.url);
    if (keys.length < minCompared || keys.length > maxCompared)
      return refuse(context, keys.length, keys, '/account/codes');
    const period = readChartPeriod(context);
    const per = context.url.searchParams.get('per');
    if (per !== null && per !== 'code') throw pageNotFound();
    const compared = await readComparedScans(deps, context, keys, period);
    const props = { keys, compared, period, isPerCode: per === 'code' };
    const shown = page(context, context.texts.compare.title, <ComparePage {...props} />);
    keepChartLength(context, period, shown);
    return compared === null ? reloading(shown, reloadSeconds) : shown;
  };

  /** Shows what can be added to a comparison: folders, and codes that match a search. */
  const showAdd = async (context: SignedInContext) => {
    const { accountId, url, request } = context;
    const keys = readCompared(url);
    if (keys.length >= maxCompared) return refuse(context, keys.length + 1, [], comparePath(keys));
    const search = searchText(url.searchParams.get('q') ?? '');
    const names: string[] = [];
    for (const key of keys)
      names.push(
        'code' in key
          ? titleOf(await qrs.get(accountId, parseCodeOrPath(key.code)))
          : (key.folder ?? context.texts.folders.none),
      );
    const isNew = (other: ComparedKey) =>
      !keys.some((key) => comparePath([key]) === comparePath([other]));
    const sought = search.toLowerCase();
    const folders = (await lists.folders(accountId))
      .filter(({ name }) => name?.toLowerCase().includes(sought))
      .filter(({ name }) => isNew({ folder: name }))
      .slice(0, shownChoices);
    const { qrs: found } = await lists.page(accountId, {
      text: await searchTerm(search),
      filter: {},
      sort: 'newest',
      limit: shownChoices + maxCompared,
      offset: 0,
      isWanted: () => !request.signal.aborted,
    });
    const codes = found.filter(({ code }) => isNew({ code })).slice(0, shownChoices);
    return page(
      context,
      context.texts.compare.add,
      <AddPage {...{ keys, names, search, folders, codes }} />,
    );
  };

  return [
    viewer.get('/account/compare', show),
    viewer.get('/account/compare/add', showAdd),
    viewer.get('/account/compare.csv', async (context) => {
      const keys = readCompared(context.url);
      if (keys.length === 0 || keys.length > maxCompared) throw pageNotFound();
      const period = readChartPeriod(context);
      if (period.problem !== null) throw pageNotFound();
      const compared = await readComparedScans(deps, context, keys, period);
      if (compared === null) throw scansBeingCounted();
      const lines = async function* () {
        yield dailyCsvHead;
        for (const one of compared)
          yield* dailyCsvLines(subjectOf(one), period.range, one.sums, context.zone);
      };
      return csvResponse(lines(), context, 'scans');
    }),
    // The ticked codes of a list are in the form.
    viewer.post(
      '/account/compare',
      async (context, form) => {
        const selection = readSelection(form);
        if (!('codes' in selection)) return refuse(context, null, [], selection.list);
        const keys = [...new Set(selection.codes)].map((code) => ({ code }));
        return keys.length < minCompared || keys.length > maxCompared
          ? refuse(context, keys.length, keys, selection.list)
          : redirectTo(context, comparePath(keys));
      },
      { maxBytes: maxSelectionBytes },
    ),
  ];
}

/** Says why nothing is compared, with the way to more. @param chosen null for all codes of a list */
function refuse(
  context: SignedInContext,
  chosen: number | null,
  keys: readonly ComparedKey[],
  back: string,
) {
  const { compare: t } = context.texts;
  return page(
    context,
    t.title,
    <DialogPage title={t.twoToFive}>
      <p>{comparisonRefusal(chosen, context.texts)}</p>
      <DialogActions back={back}>
        {chosen !== null && chosen < minCompared && (
          <ButtonLink class="button primary" to={comparePath(keys, {}, '/add')}>
            {t.add}
          </ButtonLink>
        )}
      </DialogActions>
    </DialogPage>,
    422,
  );
}

/** Returns whose scans are in the lines of a table. */
function subjectOf({ subject, qr }: Compared) {
  if (qr !== null) return { code: qr.code, name: qr.name ?? '', folder: qr.folder ?? '' };
  return { code: '', name: '', folder: 'folder' in subject ? (subject.folder ?? '') : '' };
}
