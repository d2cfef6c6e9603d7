/** @jsxImportSource preact */
import type { Batch, BatchRowOutcome } from '../../core/batches/batch.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import {
  anchorOf,
  CodeDestination,
  CodeTags,
  codePath,
  Thumbnail,
  titleOf,
} from '../codes/code-label.tsx';
import { SelectionBar, TickCell } from '../codes/selection-bar.tsx';
import { ListCard } from '../ui/cards.tsx';
import { formatDestination, formatUrl } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import { ButtonLink, Link, useHasActivePlan, useRequest } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { batchPath } from './batch-path.ts';

/** A code of a table, with the row of its table. */
interface CreatedCode {
  readonly row: number;
  readonly qr: Qr;
}

interface CreatedCodesProps {
  readonly batch: Batch;
  readonly codes: readonly CreatedCode[];
  /** Row after which the next page begins; null on the last one. */
  readonly nextAfter: number | null;
}

/** The codes that were created from a table, in rows like those of the list of codes. */
export function CreatedCodes({ batch, codes, nextAfter }: CreatedCodesProps) {
  const { url } = useRequest();
  const list = `${url.pathname}${url.search}`;
  const back = String(new URLSearchParams({ list }));
  return (
    <>
      <section class="card" aria-label="Codes">
        <table
          class="codes"
          data-menu={`menu?${back}`}
          data-edit={useHasActivePlan() ? `destination?${back}` : undefined}
        >
          <thead>
            <tr>
              <th scope="col" class="c-tick">
                <label class="script-only">
                  <input
                    class="box"
                    type="checkbox"
                    aria-label="Select all on this page"
                    data-check-all
                  />
                </label>
              </th>
              <th scope="col" class="c-qr">
                <span class="hidden">Picture</span>
              </th>
              <th scope="col">Name</th>
              <th scope="col" class="c-note">
                Note
              </th>
              <th scope="col" class="c-link">
                Short link
              </th>
              <th scope="col" class="c-row">
                Row
              </th>
              <th scope="col" class="c-menu">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {codes.map((created) => (
              <CreatedRow key={created.row} {...created} />
            ))}
          </tbody>
        </table>
        <div class="menu" id="code-menu" popover="auto" />
        <nav class="pages" aria-label="Pages of the codes">
          <span class="small soft">
            {formatNumber(codes.length)} of {formatCount(batch.created, 'code')}
          </span>
          <span class="grow" />
          {nextAfter !== null && (
            <Link class="button small" to={`${batchPath(batch.id)}?after=${nextAfter}`} data-next>
              Next
              <Icon name="next" />
            </Link>
          )}
        </nav>
      </section>
      <SelectionBar list={list} search="" total={null} hasAll={false} />
    </>
  );
}

function CreatedRow({ row, qr }: CreatedCode) {
  const title = titleOf(qr);
  return (
    <tr id={anchorOf(qr)}>
      <TickCell code={qr.code} title={title} />
      <td class="c-qr">
        <Thumbnail qr={qr} />
      </td>
      <td>
        <Link class="name" to={codePath(qr.code)} dir="auto">
          {title}
        </Link>
        <CodeTags qr={qr} />
        <CodeDestination {...qr} />
      </td>
      <td class="c-note">{qr.note !== null && <bdi>{qr.note}</bdi>}</td>
      <td class="c-link">
        <bdi class="small">{formatDestination(qr.shortLink)}</bdi>
      </td>
      <td class="c-row small soft">
        <span class="phone-only">row </span>
        {formatNumber(row)}
      </td>
      <td class="c-menu">
        <button
          type="button"
          class="button plain small dots script-only"
          popovertarget="code-menu"
          aria-label={`Actions for ${title}`}
        />
      </td>
    </tr>
  );
}

interface LeftOutProps {
  readonly batch: Batch;
  /** The first rows without a code. */
  readonly rows: readonly BatchRowOutcome[];
}

/** The rows without a code, and why. Each can be created as a single code. */
export function LeftOutRows({ batch, rows }: LeftOutProps) {
  const { refused, leftOut } = batch;
  const count = refused + leftOut;
  const canCreate = useHasActivePlan();
  if (count === 0) return null;
  return (
    <ListCard
      title={`${formatCount(count, 'row')} left out`}
      beside={<span class="small soft">No code was made for {count === 1 ? 'it' : 'them'}.</span>}
    >
      <ul class="list">
        {rows.map((row) => (
          <li key={row.row}>
            <div>
              <b>
                Row {formatNumber(row.row)}
                {row.name !== null && [' · ', <bdi key="name">{row.name}</bdi>]}
              </b>
              <span class="small soft">
                {row.problem === null ? 'Not created.' : panelSentence(row.problem)}
                {row.destination !== '' && [' ', <bdi key="url">{formatUrl(row.destination)}</bdi>]}
              </span>
            </div>
            {canCreate && (
              <ButtonLink class="button small" to={newCodePath(batch, row)} data-dialog>
                Create it now
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {(refused > 0 || count > rows.length) && (
        <div class="pages">
          {count > rows.length && (
            <span class="small soft">The first {formatCount(rows.length, 'row')} are shown.</span>
          )}
          {refused > 0 && (
            <ButtonLink to={`${batchPath(batch.id)}/refused.csv`} download>
              Download the refused rows (CSV)
            </ButtonLink>
          )}
        </div>
      )}
    </ListCard>
  );
}

/** Maximum length of a destination in a link, in characters: a longer one is no destination. */
const maxUrlLength = 2048;

/** Returns the path of the form of a new code with the texts of a row. */
function newCodePath({ id }: Batch, { destination, name, folder }: BatchRowOutcome): string {
  const texts = { url: destination.slice(0, maxUrlLength), name, folder, list: batchPath(id) };
  const given = Object.entries(texts).flatMap(([key, value]) =>
    value === null || value === '' ? [] : [[key, value]],
  );
  return `/account/new?${new URLSearchParams(given)}`;
}
