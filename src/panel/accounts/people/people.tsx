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
import type { PanelDeps } from '../../request/deps.ts';
import { InvalidInput } from '../../request/invalid-input.ts';
import { audit, type FormFields, type SignedInContext } from '../../request/request.ts';
import { PanelError } from '../../routing/errors.tsx';
import { page, redirectTo } from '../../routing/responses.tsx';
import { owner, type Route } from '../../routing/route.ts';
import { Avatar, accountName } from '../../ui/account-menu.tsx';
import { Crumb, ListCard } from '../../ui/cards.tsx';
import { Copyable, Facts, Menu, PageHead, RelativeTime, Time } from '../../ui/components.tsx';
import { DialogPage, FormDialog } from '../../ui/dialog.tsx';
import { choiceField, emailField } from '../../ui/fields.tsx';
import { formatDateTime } from '../../ui/formatting.ts';
import { Group, Setting, SettingList } from '../../ui/groups.tsx';
import {
  ButtonLink,
  Link,
  PostButton,
  useLocalTime,
  useRequest,
  useTexts,
} from '../../ui/page-context.tsx';

const path = '/account/settings/people';
const lifetimeDays = invitationLifetimeMs / 86_400_000;

/** @throws InvalidInput */
function requireRoleText(text: string): MemberRole {
  const role = parseMemberRole(text);
  if (role === null) throw new InvalidInput((t) => t.roles.chooseOne);
  return role;
}

const inviteForm = {
  email: emailField({
    hint: (t) => t.people.theySignInWithIt,
    parse: parseNewEmail,
    autocomplete: 'off',
    autofocus: true,
  }),
  role: choiceField({
    label: (t) => t.roles.role,
    choices: [
      {
        value: 'viewer',
        title: (t) => t.roles.name({ role: 'viewer' }),
        text: (t) => t.people.viewerSees,
      },
      {
        value: 'editor',
        title: (t) => t.roles.name({ role: 'editor' }),
        text: (t) => t.people.editorCreates,
      },
    ],
    parse: requireRoleText,
  }),
};

/** Creates the routes with which an owner invites people, changes their roles and removes them. */
export function peopleRoutes({ people }: PanelDeps): Route[] {
  const show = async (context: SignedInContext) =>
    page(
      context,
      context.texts.people.title,
      <PeoplePage {...(await people.list(context.accountId))} />,
    );
  const showInvite = async (context: SignedInContext) => {
    const { texts: t, session } = context;
    return page(
      context,
      t.people.inviteSomebody,
      <FormDialog
        title={t.people.inviteSomebodyTo({ account: accountName(session.entered) })}
        form={inviteForm}
        to={`${path}/invite`}
        back={path}
        button={t.people.createLink}
      >
        <p class="small soft">{t.people.noMail}</p>
      </FormDialog>,
    );
  };
  const gone = () =>
    new PanelError(
      404,
      (t) => t.people.gone,
      (t) => t.people.goneWhy,
    );
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
        const title = context.texts.people.linkFor({ email });
        return page(context, title, <NewLinkDialog invitation={invitation} />);
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
      const title = context.texts.people.removeQuestion({ email: member.email });
      return page(context, title, <RemoveDialog member={member} />);
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
  const t = useTexts();
  if (session === null) return null;
  const { entered } = session;
  const { name } = t.roles;
  return (
    <>
      <Crumb above={[['/account/settings', t.common.settings]]}>{t.people.title}</Crumb>
      <PageHead
        title={t.people.title}
        beside={<span class="soft">{t.formats.number(members.length + 1)}</span>}
      >
        <ButtonLink to="/account/activity" class="button compact-hide">
          {t.common.activity}
        </ButtonLink>
        <ButtonLink to={`${path}/invite`} class="button primary" icon="plus" data-dialog>
          {t.people.invite}
        </ButtonLink>
      </PageHead>
      <div class="stack">
        <ListCard title={t.people.canEnter({ account: accountName(entered) })}>
          <ul>
            <li class="person">
              <Avatar name={entered.email} />
              <div class="what">
                <b>
                  <bdi>{entered.email}</bdi> <span class="soft">{t.people.you}</span>
                </b>
              </div>
              <div class="does">
                <span class="pill plain">{name({ role: 'owner' })}</span>
              </div>
            </li>
            {members.map((member) => (
              <MemberLine key={member.id} member={member} />
            ))}
          </ul>
        </ListCard>
        {invitations.length > 0 && (
          <ListCard
            title={t.people.invited}
            beside={
              <span class="small soft">{t.people.linksWorkOnce({ days: lifetimeDays })}</span>
            }
          >
            <ul>
              {invitations.map((invitation) => (
                <InvitationLine key={invitation.email} invitation={invitation} />
              ))}
            </ul>
          </ListCard>
        )}
        <section class="card pad" aria-label={t.people.whatRolesMayDo}>
          <Facts
            of={{
              [name({ role: 'viewer' })]: t.people.viewerMay,
              [name({ role: 'editor' })]: t.people.editorMay,
              [name({ role: 'owner' })]: t.people.ownerMay,
            }}
          />
        </section>
      </div>
    </>
  );
}

function MemberLine({ member }: { member: Member }) {
  const { id, email, role, lastSeenMs } = member;
  const other = role === 'editor' ? 'viewer' : 'editor';
  const t = useTexts();
  return (
    <PersonLine
      email={email}
      text={
        lastSeenMs === null
          ? t.people.notSignedInHere
          : t.people.lastHere({ when: <RelativeTime ms={lastSeenMs} /> })
      }
    >
      <span class="pill plain">{t.roles.name({ role })}</span>
      <Menu id={`member-${id}`} label={t.common.actionsFor({ name: email })}>
        <PostButton
          to={`${path}/role`}
          values={{ member: String(id), role: other }}
          class=""
          icon="edit"
        >
          {t.people.make({ role: other })}
        </PostButton>
        <Link to={`${path}/remove?member=${id}`} class="danger" icon="remove" data-dialog>
          {t.people.removeMenu}
        </Link>
      </Menu>
    </PersonLine>
  );
}

function InvitationLine({ invitation }: { invitation: Invitation }) {
  const { nowMs } = useRequest();
  const t = useTexts();
  const { email, role, expiresAtMs } = invitation;
  const date = <Time ms={expiresAtMs} />;
  return (
    <PersonLine
      email={email}
      text={
        expiresAtMs <= nowMs
          ? t.people.linkEnded<ComponentChildren>({
              role,
              date,
              bad: (parts) => <span class="bad-text">{parts}</span>,
            })
          : t.people.linkEnds({ role, date })
      }
    >
      <Menu
        id={`invited-${Bun.hash(email).toString(36)}`}
        label={t.common.actionsFor({ name: email })}
      >
        <PostButton to={`${path}/invite`} values={{ email, role }} class="" icon="undo" data-dialog>
          {t.people.newLink}
        </PostButton>
        <PostButton to={`${path}/take-back`} values={{ email }} class="danger" icon="remove">
          {t.people.takeBack}
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
  const t = useTexts();
  const { email, role, expiresAtMs } = invitation;
  const account = session === null ? '' : accountName(session.entered);
  return (
    <DialogPage title={t.people.linkFor({ email })}>
      <p class="small soft">{t.people.sendIt({ role, account })}</p>
      <Copyable label={t.common.copyLink} text={joinLink(publicUrl, invitation)} />
      <ul class="small stack tight">
        <li>
          {t.people.worksOnceUntil({
            time: formatDateTime(expiresAtMs, local),
            b: (text) => <b>{text}</b>,
          })}
        </li>
        <li>{t.people.whoHasIt}</li>
      </ul>
      <div class="actions">
        {/* The list behind it has the new invitation. */}
        <ButtonLink to={path}>{t.common.done}</ButtonLink>
      </div>
    </DialogPage>
  );
}

function RemoveDialog({ member: { id, email } }: { member: Member }) {
  const t = useTexts();
  return (
    <FormDialog
      title={t.people.removeQuestion({ email })}
      form={{}}
      to={`${path}/remove`}
      hiddenValues={{ member: String(id) }}
      back={path}
      button={t.people.remove}
      isDestroying
    >
      <p>{t.people.removed}</p>
    </FormDialog>
  );
}

/** Renders the line of the settings that leads to the people of an account. */
export function PeopleGroup({ members, invitations }: PeopleProps) {
  const t = useTexts();
  const isAlone = members.length + invitations.length === 0;
  const people = members.length + 1;
  return (
    <Group title={t.people.title} text={t.people.whoCanEnter}>
      <SettingList>
        <Setting
          name={
            invitations.length === 0
              ? t.people.count({ people })
              : t.people.countWithInvited({ people, invited: invitations.length })
          }
          text={t.people.letColleague}
        >
          <ButtonLink
            to={path}
            class="button small"
            aria-label={isAlone ? t.people.inviteHere : t.people.seeThemHere}
          >
            {isAlone ? t.people.inviteMenu : t.people.seeThem}
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
  const t = useTexts();
  return (
    <Group
      title={t.people.title}
      text={isOwn ? t.people.whoCanEnterYours : t.people.whoCanEnterTheirs}
    >
      {members.length + invitations.length === 0 ? (
        <p class="pad soft">{t.people.nobody}</p>
      ) : (
        <SettingList>
          {members.map(({ id, email, role, sinceMs }) => (
            <Setting
              key={id}
              name={<bdi>{email}</bdi>}
              text={t.people.since({ role, date: <Time ms={sinceMs} /> })}
            />
          ))}
          {invitations.map(({ email, role, expiresAtMs }) => (
            <Setting
              key={email}
              name={<bdi>{email}</bdi>}
              text={t.people.invitedAs({ role, date: <Time ms={expiresAtMs} /> })}
            />
          ))}
        </SettingList>
      )}
    </Group>
  );
}
