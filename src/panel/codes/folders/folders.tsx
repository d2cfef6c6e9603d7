/** @jsxImportSource preact */
import { parseFolder } from '../../../core/codes/lists/lists.ts';
import { domainName } from '../../domains/domain-state.tsx';
import type { PanelDeps } from '../../request/deps.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import { listOf } from '../../request/own-path.ts';
import type { SignedInContext } from '../../request/request.ts';
import { pageNotFound } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { editor, type Route } from '../../routing/route.ts';
import { Menu } from '../../ui/components.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { hiddenField, nameField, parseChoice, selectField } from '../../ui/fields.tsx';
import { Link, PostButton, useTexts } from '../../ui/page-context.tsx';

const renameForm = {
  folder: hiddenField((text) => text),
  name: nameField({ label: (t) => t.folders.name, parse: parseFolder, required: true }),
};

/** Creates the routes that rename and remove a folder. */
export function foldersRoutes({ lists, qrs }: Pick<PanelDeps, 'lists' | 'qrs'>): Route[] {
  const nameOf = ({ url, rejected }: SignedInContext) =>
    rejected?.typed.text('folder') ?? url.searchParams.get('folder') ?? '';
  const countOf = async (context: SignedInContext, name = nameOf(context)) => {
    const codes = await lists.countFolder(context.accountId, name);
    if (codes === 0) throw pageNotFound();
    return codes;
  };
  const showRename = async (context: SignedInContext) => {
    // Shown again after a rejection, when its last code may be gone.
    if (context.rejected === null) await countOf(context);
    const folder = nameOf(context);
    const list = listOf(context);
    const { folders: t } = context.texts;
    return page(
      context,
      t.renameTitle,
      <FormDialog
        title={t.renameTitle}
        form={renameForm}
        to="/account/folders/rename"
        values={{ folder, name: folder }}
        hiddenValues={{ list }}
        back={list || pathOfFolder(folder)}
        button={t.rename}
      />,
    );
  };
  /** Creates the form of the domain of new codes in a folder. An empty choice is that of the account. */
  const formOfDomain = async ({ accountId }: SignedInContext) => {
    const { urls, preset } = await qrs.newDomains.choicesOf(accountId, null);
    return {
      folder: hiddenField((text) => text),
      domain: selectField({
        label: (t) => t.folders.newCodesBeginWith,
        hint: (t) => t.folders.printedKeepDomain,
        options: [
          { value: '', text: (t) => t.folders.asAccount({ domain: domainName(preset) }) },
          ...urls.map((url) => ({ value: url, text: domainName(url) })),
        ],
        parse: (text) => parseChoice(text, urls, undefined),
      }),
    };
  };
  const showDomain = async (context: SignedInContext) => {
    await countOf(context);
    const folder = nameOf(context);
    const list = listOf(context);
    const own = await qrs.newDomains.folderDefault(context.accountId, folder);
    const { common, folders: t } = context.texts;
    return page(
      context,
      t.domain,
      <FormDialog
        title={t.domain}
        form={await formOfDomain(context)}
        to="/account/folders/domain"
        values={{ folder, domain: own ?? '' }}
        hiddenValues={{ list }}
        back={list || pathOfFolder(folder)}
        button={common.save}
      />,
    );
  };
  const showRemove = async (context: SignedInContext) => {
    const folder = nameOf(context);
    const codes = await countOf(context);
    const list = listOf(context);
    const { folders: t } = context.texts;
    const named = { folder: <bdi>{folder}</bdi> };
    return page(
      context,
      t.remove,
      <FormDialog
        title={t.remove}
        form={{}}
        to="/account/folders/remove"
        hiddenValues={{ folder, list }}
        back={list || pathOfFolder(folder)}
        button={t.remove}
      >
        <p>{codes === null ? t.allCodesStay(named) : t.codesStay({ ...named, codes })}</p>
      </FormDialog>,
    );
  };

  return [
    editor.get('/account/folders/rename', showRename),
    editor.get('/account/folders/remove', showRemove),
    editor.submit(
      '/account/folders/rename',
      { form: renameForm, page: showRename },
      async (context, { folder, name }) => {
        const codes = await lists.renameFolder(context.acting, folder, name);
        if (codes === 0) throw new InvalidInput((t) => t.folders.isEmpty({ folder }));
        return redirectTo(context, pathOfFolder(name), { kind: 'folderRenamed' });
      },
    ),
    editor.get('/account/folders/domain', showDomain),
    editor.submit(
      '/account/folders/domain',
      { form: formOfDomain, page: showDomain },
      async (context, { folder, domain }) => {
        await countOf(context, folder);
        await qrs.newDomains.setFolderDefault(context.acting, folder, domain, context.nowMs);
        return redirectTo(context, pathOfFolder(folder), { kind: 'folderDomainSaved' });
      },
    ),
    editor.post('/account/folders/remove', async (context, form) => {
      const codes = await lists.removeFolder(context.acting, form.text('folder'));
      return redirectTo(context, '/account/codes', { kind: 'folderRemoved', codes });
    }),
  ];
}

/** Returns the path of the list of a folder. */
export function pathOfFolder(name: string): string {
  return `/account/codes?${new URLSearchParams({ folder: `in:${name}` })}`;
}

/** Returns the path of the page that prints a folder. */
export function printPathOf(name: string): string {
  return `/account/print?${new URLSearchParams({ codes: `in:${name}` })}`;
}

interface FolderMenuProps {
  readonly name: string;
  /** Path of the page, to go back to from its dialogs. */
  readonly list: string;
  /** Numbers of active and paused codes; null for too many to count. */
  readonly active: number | null;
  readonly paused: number | null;
  /** Whether there are several to choose from. */
  readonly hasDomains: boolean;
}

/**
 * Renders the … menu of a folder.
 * What it does to codes, it does to all of the folder, whatever the page shows.
 */
export function FolderMenu({ name, list, active, paused, hasDomains }: FolderMenuProps) {
  const folder = new URLSearchParams({ folder: name, list });
  const all = { list: pathOfFolder(name), all: 'yes', q: '' };
  const t = useTexts().folders;
  const apply = (change: string) => ({
    to: '/account/selection/apply',
    values: { ...all, do: change },
  });
  const open = (dialog: string) => ({ to: '/account/selection', values: { ...all, open: dialog } });
  return (
    <Menu id="folder-menu" label={t.actionsFor({ folder: name })}>
      {active !== 0 && (
        <PostButton {...apply('pause')} class="" icon="pause">
          {active === null ? t.pauseAll : t.pauseAllOf({ codes: active })}
        </PostButton>
      )}
      {paused !== 0 && (
        <PostButton {...apply('resume')} class="" icon="play">
          {paused === null ? t.resumeAll : t.resumeAllOf({ codes: paused })}
        </PostButton>
      )}
      <PostButton {...open('plan')} class="" icon="clock" data-dialog>
        {t.planMenu}
      </PostButton>
      <PostButton {...open('destination')} class="" icon="edit" data-dialog>
        {t.changeDestinationsMenu}
      </PostButton>
      <Link to={printPathOf(name)} icon="print">
        {t.printAll}
      </Link>
      <hr />
      {hasDomains && (
        <Link to={`/account/folders/domain?${folder}`} data-dialog icon="domains">
          {t.domainMenu}
        </Link>
      )}
      <Link to={`/account/folders/rename?${folder}`} data-dialog icon="folder">
        {t.renameMenu}
      </Link>
      <Link to={`/account/folders/remove?${folder}`} data-dialog class="danger" icon="remove">
        {t.removeMenu}
      </Link>
    </Menu>
  );
}
