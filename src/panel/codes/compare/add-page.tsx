/** @jsxImportSource preact */
import type { Folder } from '../../../core/codes/ports.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import { Crumb } from '../../ui/cards.tsx';
import { PageHead, SearchField } from '../../ui/components.tsx';
import { Icon } from '../../ui/icons.tsx';
import { HiddenFields, Link, Submit, useRequest, useTexts } from '../../ui/page-context.tsx';
import { CodeDestination, Thumbnail, titleOf } from '../code-label.tsx';
import { maxSearchLength } from '../list-filters.tsx';
import { type ComparedKey, comparePath, minCompared } from './compared.ts';

interface AddProps {
  readonly keys: readonly ComparedKey[];
  /** Names of what is compared so far. */
  readonly names: readonly string[];
  readonly search: string;
  readonly folders: readonly Folder[];
  readonly codes: readonly Qr[];
}

/** Renders what can be added to a comparison, each as a link to it. */
export function AddPage({ keys, names, search, folders, codes }: AddProps) {
  const { url, basePath } = useRequest();
  const { common, compare: t, formats } = useTexts();
  const period = [...url.searchParams].filter(([name]) =>
    ['days', 'since', 'until', 'per'].includes(name),
  );
  const fields = Object.fromEntries(period);
  const pathWith = (key: ComparedKey) => comparePath([...keys, key], fields);
  const hidden = [...url.searchParams].filter(([name]) => name !== 'q');
  const isEmpty = folders.length === 0 && codes.length === 0;
  return (
    <>
      <Crumb
        above={[
          ['/account/codes', common.codes],
          ...(keys.length < minCompared ? [] : [[comparePath(keys, fields), t.title] as const]),
        ]}
      />
      <PageHead
        title={t.add}
        text={names.length > 0 && <bdi>{t.isComparedWith({ names: formats.list(names) })}</bdi>}
      />
      <search>
        <form class="tools" action={`${basePath}/account/compare/add`}>
          <SearchField label={t.searchLabel} value={search} maxLength={maxSearchLength} />
          {hidden.map(([name, value], at) => (
            <HiddenFields key={at} values={{ [name]: value }} />
          ))}
          <Submit class="button">{t.search}</Submit>
        </form>
      </search>
      <section class="card" aria-label={t.choices}>
        {isEmpty ? (
          <p class="pad">{search === '' ? t.nothingToAdd : t.nothingMatches({ search })}</p>
        ) : (
          <ul class="list">
            {folders.map(({ name, codes: count }) => (
              <li key={`folder ${name}`}>
                <span class="tile">
                  <Icon name="folder" />
                </span>
                <div class="what">
                  <span>
                    <Link class="name" to={pathWith({ folder: name })} dir="auto">
                      {name}
                    </Link>
                  </span>
                  <span class="small soft">
                    {count === null ? t.folder : t.folderOf({ codes: count })}
                  </span>
                </div>
              </li>
            ))}
            {codes.map((qr) => (
              <li key={qr.code}>
                <Thumbnail qr={qr} />
                <div class="what">
                  <span>
                    <Link class="name" to={pathWith({ code: qr.code })} dir="auto">
                      {titleOf(qr)}
                    </Link>
                  </span>
                  <CodeDestination {...qr} />
                </div>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
