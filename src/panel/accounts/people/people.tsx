/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import { parseAccountId } from '../../../core/accounts/account.ts';
import { parseNewEmail } from '../../../core/accounts/email.ts';
import {
  invitationLifetimeMs,
  joinLink,
  type NewLink,
} from '../../../core/accounts/people/people.ts';
import type { Invitation, Member } from '../../../core/accounts/people/ports.ts';
import { type MemberRole, parseMemberRole } from '../../../core/accounts/people/role.ts';
import { formatCount } from '../../../lib/numbers.ts';
import type { PanelDeps } from '../../request/deps.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import { audit, type FormFields, type SignedInContext } from '../../request/request.ts';
import { PanelError } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { owner, type Route } from '../../routing/route.ts';
import { Avatar, accountName, roleNames } from '../../ui/account-menu.tsx';
import { Crumb, ListCard } from '../../ui/cards.tsx';
import { Copyable, Facts, Menu, PageHead, RelativeTime, Time } from '../../ui/components.tsx';
import { DialogPage, FormDialog } from '../../ui/dialog.tsx';
import { choiceField, emailField } from '../../ui/fields.tsx';
import { formatDateTime } from '../../ui/formatting.ts';
import { Group, Setting, SettingList } from '../../ui/groups.tsx';
import { ButtonLink, Link, PostButton, useLocalTime, useRequest } from '../../ui/page-context.tsx';

const path = '/account/settings/people';
const lifetimeDays = invitationLifetimeMs / 86_400_000;

/** What each role may do, beyond the one before. */
const rights = {
  viewer: 'sees codes and scans, downloads, prints',
  editor: 'also creates, changes, pauses, plans',
  owner: 'also people, API key, plan, deletion',
} as const;

/** @throws InvalidInput */
function requireRoleText(text: string): MemberRole {
  const role = parseMemberRole(text);
  if (role === null) throw new InvalidInput('Choose viewer or editor.');
  return role;
}

const inviteForm = {
  email: emailField({
    hint: 'They sign in with this address.',
    parse: parseNewEmail,
    autocomplete: 'off',
    autofocus: true,
  }),
  role: choiceField({
    label: 'Role',
    choices: [
      { value: 'viewer', title: 'Viewer', text: 'Sees codes and scans, downloads and prints.' },
      { value: 'editor', title: 'Editor', text: 'Also creates, changes, pauses and plans codes.' },
    ],
    parse: requireRoleText,
  }),
};

/** Creates the routes with which an owner invites people, changes their roles and removes them. */
export function peopleRoutes({ people }: PanelDeps): Route[] {
  const show = async (context: SignedInContext) =>
    page(context, 'People', <PeoplePage {...(await people.list(context.accountId))} />);
  const showInvite = async (context: SignedInContext) =>
    page(
      context,
      'Invite somebody',
      <FormDialog
        title={`Invite somebody to ${accountName(context.session.entered)}`}
        form={inviteForm}
        to={`${path}/invite`}
        back={path}
        button="Create the link"
      >
        <p class="small soft">This server sends no mail. You get a link to pass on yourself.</p>
      </FormDialog>,
    );
  const gone = () =>
    new PanelError(404, 'This person is gone', 'They left, or were removed meanwhile.');
  const findMember = async (accountId: number, text: string): Promise<Member> => {
    const id = parseAccountId(text);
    const member = (await people.list(accountId)).members.find((one) => one.id === id);
    if (member === undefined) throw gone();
    return member;
  };
  const memberOf = ({ accountId }: SignedInContext, form: FormFields) =>
    findMember(accountId, form.text('member'));

  return [
    owner.get(path, show),
    owner.get(`${path}/invite`, showInvite),
    owner.submit(
      `${path}/invite`,
      { form: inviteForm, page: showInvite, needsConfirmation: true },
      async (context, { email, role }) => {
        const invitation = await people.invite(context.acting, email, role);
        audit(context, 'person invited', { account: email, role });
        return page(context, `A link for ${email}`, <NewLinkDialog invitation={invitation} />);
      },
    ),
    owner.post(`${path}/take-back`, async (context, form) => {
      const email = form.text('email');
      if (await people.takeBack(context.acting, email))
        audit(context, 'invitation taken back', { account: email });
      return redirectTo(context, path, { kind: 'invitationTakenBack' });
    }),
    owner.post(
      `${path}/role`,
      async (context, form) => {
        const role = requireRoleText(form.text('role'));
        const { id, email, role: former } = await memberOf(context, form);
        if (!(await people.changeRole(context.acting, id, role))) throw gone();
        audit(context, 'role changed', { account: email, role });
        return redirectTo(context, path, { kind: 'roleChanged', email, role, former, id });
      },
      { needsConfirmation: true },
    ),
    owner.get(`${path}/remove`, async (context) => {
      const member = await findMember(
        context.accountId,
        context.url.searchParams.get('member') ?? '',
      );
      return page(context, `Remove ${member.email}?`, <RemoveDialog member={member} />);
    }),
    owner.post(`${path}/remove`, async (context, form) => {
      const { id, email } = await memberOf(context, form);
      if (!(await people.remove(context.acting, id))) throw gone();
      audit(context, 'person removed', { account: email });
      return redirectTo(context, path, { kind: 'personRemoved', email });
    }),
  ];
}

interface PeopleProps {
  readonly members: readonly Member[];
  readonly invitations: readonly Invitation[];
}

function PeoplePage({ members, invitations }: PeopleProps) {
  const { session } = useRequest();
  if (session === null) return null;
  const { entered } = session;
  return (
    <>
      <Crumb above={[['/account/settings', 'Settings']]}>People</Crumb>
      <PageHead title="People" beside={<span class="soft">{members.length + 1}</span>}>
        <ButtonLink to="/account/activity" class="button compact-hide">
          Activity
        </ButtonLink>
        <ButtonLink to={`${path}/invite`} class="button primary" icon="plus" data-dialog>
          Invite
        </ButtonLink>
      </PageHead>
      <div class="stack">
        <ListCard title={`Can enter ${accountName(entered)}`}>
          <ul>
            <li class="person">
              <Avatar name={entered.email} />
              <div class="what">
                <b>
                  <bdi>{entered.email}</bdi> <span class="soft">· you</span>
                </b>
              </div>
              <div class="does">
                <span class="pill plain">Owner</span>
              </div>
            </li>
            {members.map((member) => (
              <MemberLine key={member.id} member={member} />
            ))}
          </ul>
        </ListCard>
        {invitations.length > 0 && (
          <ListCard
            title="Invited"
            beside={<span class="small soft">Links work once, for {lifetimeDays} days.</span>}
          >
            <ul>
              {invitations.map((invitation) => (
                <InvitationLine key={invitation.email} invitation={invitation} />
              ))}
            </ul>
          </ListCard>
        )}
        <section class="card pad" aria-label="What the roles may do">
          <Facts of={{ Viewer: rights.viewer, Editor: rights.editor, Owner: rights.owner }} />
        </section>
      </div>
    </>
  );
}

function MemberLine({ member }: { member: Member }) {
  const { id, email, role, lastSeenMs } = member;
  const other = role === 'editor' ? 'viewer' : 'editor';
  return (
    <PersonLine
      email={email}
      text={
        lastSeenMs === null ? (
          'not signed in here'
        ) : (
          <>
            here <RelativeTime ms={lastSeenMs} />
          </>
        )
      }
    >
      <span class="pill plain">{roleNames[role]}</span>
      <Menu id={`member-${id}`} label={`Actions for ${email}`}>
        <PostButton
          to={`${path}/role`}
          values={{ member: String(id), role: other }}
          class=""
          icon="edit"
        >
          Make {other === 'editor' ? 'an editor' : 'a viewer'}
        </PostButton>
        <Link to={`${path}/remove?member=${id}`} class="danger" icon="remove" data-dialog>
          Remove…
        </Link>
      </Menu>
    </PersonLine>
  );
}

function InvitationLine({ invitation }: { invitation: Invitation }) {
  const { nowMs } = useRequest();
  const { email, role, expiresAtMs } = invitation;
  const isOver = expiresAtMs <= nowMs;
  return (
    <PersonLine
      email={email}
      text={
        <>
          {roleNames[role]} ·{' '}
          {isOver ? (
            <span class="bad-text">
              the link ended on <Time ms={expiresAtMs} />
            </span>
          ) : (
            <>
              ends on <Time ms={expiresAtMs} />
            </>
          )}
        </>
      }
    >
      <Menu id={`invited-${Bun.hash(email).toString(36)}`} label={`Actions for ${email}`}>
        <PostButton to={`${path}/invite`} values={{ email, role }} class="" icon="undo" data-dialog>
          New link
        </PostButton>
        <PostButton to={`${path}/take-back`} values={{ email }} class="danger" icon="remove">
          Take back
        </PostButton>
      </Menu>
    </PersonLine>
  );
}

interface PersonLineProps {
  readonly email: string;
  readonly text: ComponentChildren;
  /** What can be done with the person. */
  readonly children: ComponentChildren;
}

function PersonLine({ email, text, children }: PersonLineProps) {
  return (
    <li class="person">
      <Avatar name={email} />
      <div class="what">
        <b class="cut">
          <bdi>{email}</bdi>
        </b>
        <span class="small soft">{text}</span>
      </div>
      <div class="does">{children}</div>
    </li>
  );
}

function NewLinkDialog({ invitation }: { invitation: NewLink }) {
  const { publicUrl, session } = useRequest();
  const local = useLocalTime('times');
  const { email, role, expiresAtMs } = invitation;
  return (
    <DialogPage title={`A link for ${email}`}>
      <p class="small soft">
        {roleNames[role]} of {session && accountName(session.entered)}. Send it to them by mail or
        message.
      </p>
      <Copyable label="the link" text={joinLink(publicUrl, invitation)} />
      <ul class="small stack tight">
        <li>
          It works once, until <b>{formatDateTime(expiresAtMs, local)}</b>.
        </li>
        <li>
          Who has it can join with this address. It is shown only now; you can make a new one.
        </li>
      </ul>
      <div class="actions">
        {/* The list behind it has the new invitation. */}
        <ButtonLink to={path}>Done</ButtonLink>
      </div>
    </DialogPage>
  );
}

function RemoveDialog({ member: { id, email } }: { member: Member }) {
  return (
    <FormDialog
      title={`Remove ${email}?`}
      form={{}}
      to={`${path}/remove`}
      hiddenValues={{ member: String(id) }}
      back={path}
      button="Remove"
      isDestroying
    >
      <p>
        They can’t enter this account any more, from their next click on. What they changed stays,
        and so does their own account.
      </p>
    </FormDialog>
  );
}

/** Renders the line of the settings that leads to the people of an account. */
export function PeopleGroup({ members, invitations }: PeopleProps) {
  const open = members.length + invitations.length === 0 ? 'Invite…' : 'See them';
  const invited = invitations.length === 0 ? '' : `, ${invitations.length} invited`;
  return (
    <Group title="People" text="Who can enter this account beside you.">
      <SettingList>
        <Setting
          name={`${formatCount(members.length + 1, 'person', 'people')}${invited}`}
          text="Let a colleague do the work without your password."
        >
          <ButtonLink to={path} class="button small" aria-label={`${open}: people of this account`}>
            {open}
          </ButtonLink>
        </Setting>
      </SettingList>
    </Group>
  );
}

/** Renders the people of an account, for operators, who see them and change nothing. */
export function MembersGroup({
  members,
  invitations,
  isOwn,
}: PeopleProps & { readonly isOwn: boolean }) {
  return (
    <Group
      title="People"
      text={
        isOwn
          ? 'Who can enter your account beside you. Invite people in the settings.'
          : 'Who can enter this account beside its owner, who alone invites them.'
      }
    >
      {members.length + invitations.length === 0 ? (
        <p class="pad soft">Nobody.</p>
      ) : (
        <SettingList>
          {members.map(({ id, email, role, sinceMs }) => (
            <Setting
              key={id}
              name={<bdi>{email}</bdi>}
              text={
                <>
                  {roleNames[role]} since <Time ms={sinceMs} />
                </>
              }
            />
          ))}
          {invitations.map(({ email, role, expiresAtMs }) => (
            <Setting
              key={email}
              name={<bdi>{email}</bdi>}
              text={
                <>
                  Invited as {role}, the link ends on <Time ms={expiresAtMs} />
                </>
              }
            />
          ))}
        </SettingList>
      )}
    </Group>
  );
}
