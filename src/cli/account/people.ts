import { type Command, Option } from 'commander';
import { realClock, realRandomBytes } from '../../compose/runtime.ts';
import type { ListedAccount } from '../../core/accounts/account.ts';
import { createPasswordQueue } from '../../core/accounts/password/password.ts';
import {
  createPeople,
  invitationLifetimeMs,
  joinLink,
  withOwner,
} from '../../core/accounts/people/people.ts';
import { type MemberRole, memberRoles } from '../../core/accounts/people/role.ts';
import { isoTimestamp } from '../../core/codes/qr.ts';
import { addCommand, type CommandDeps, commandOn, type Outcome, serverUrl } from '../command.ts';
import { CommandError } from '../errors/command-error.ts';
import { formatTable } from '../output.ts';
import { onAccount, requireAnyEmail, requireEmail } from './find-account.ts';

const dayMs = 86_400_000;

/** Adds `waymark account people | invite | remove`: who may enter an account beside its owner. */
export function addPeopleCommands(account: Command): void {
  addCommand(account, 'people <email>', 'list who can enter an account, and who is invited').action(
    onAccount(listPeople),
  );
  addCommand(
    account,
    'invite <email>',
    'issue a one-time link with which somebody joins an account',
  )
    .requiredOption('--to <other>', 'e-mail address of the invited person, for whom alone it works')
    .addOption(
      new Option('--role <role>', 'an editor changes codes, designs and tables; a viewer looks')
        .choices(memberRoles)
        .makeOptionMandatory(),
    )
    .action(onAccount(invite));
  addCommand(
    account,
    'remove <email>',
    'remove somebody from an account, or take back an invitation',
  )
    .requiredOption('--member <other>', 'e-mail address of the person')
    .action(onAccount(remove));
}

const peopleOf = ({ people: store }: CommandDeps) =>
  createPeople({
    ...{ store, passwords: createPasswordQueue() },
    ...{ clock: realClock, randomBytes: realRandomBytes },
  });

async function listPeople(deps: CommandDeps, account: ListedAccount): Promise<Outcome> {
  const { members, invitations } = await peopleOf(deps).list(account.id);
  const people = withOwner(account, members).map(({ email, role, sinceMs }) => ({
    ...{ email, role, since: isoTimestamp(sinceMs) },
  }));
  const invited = invitations.map(({ email, role, expiresAtMs }) => ({
    ...{ email, role, expires_at: isoTimestamp(expiresAtMs) },
  }));
  const now = isoTimestamp(realClock.nowMs());
  return {
    text: [
      formatTable([
        ['CAN ENTER', 'ROLE', 'SINCE'],
        ...people.map(({ email, role, since }) => [email, role, since]),
      ]),
      invited.length > 0 &&
        formatTable([
          ['INVITED', 'ROLE', 'LINK ENDS'],
          ...invited.map(({ email, role, expires_at: end }) => [
            ...[email, role, end < now ? `${end} (over)` : end],
          ]),
        ]),
    ],
    json: { people, invited },
  };
}

interface InviteFlags {
  readonly to: string;
  readonly role: MemberRole;
}

async function invite(
  deps: CommandDeps,
  account: ListedAccount,
  { to, role }: InviteFlags,
): Promise<Outcome> {
  const invited = await requireAnyEmail(deps.accounts, to);
  const invitation = await peopleOf(deps).invite(commandOn(account), invited, role);
  const { email, expiresAtMs } = invitation;
  const link = joinLink(await serverUrl(deps.config), invitation);
  return {
    text:
      `${link}\nWith this link, ${email} joins the account of ${account.email} as ${role}. It works once, for ` +
      `${invitationLifetimeMs / dayMs} days. A newer invitation of ${email} makes it invalid.`,
    json: { email, role, link, expires_at: isoTimestamp(expiresAtMs) },
    change: { account: account.email, to: email, role },
  };
}

async function remove(
  deps: CommandDeps,
  account: ListedAccount,
  { member }: { readonly member: string },
): Promise<Outcome> {
  const people = peopleOf(deps);
  const email = requireEmail(member);
  const { id } = (await deps.accounts.findByEmail(email)) ?? {};
  const isRemoved = id !== undefined && (await people.remove(commandOn(account), id));
  const isTakenBack = await people.takeBack(commandOn(account), email);
  if (email === account.email)
    throw new CommandError(`${email} is the owner. "waymark account delete" deletes the account.`);
  if (!isRemoved && !isTakenBack)
    throw new CommandError(`${email} cannot enter the account of ${account.email}.`);
  return {
    text: isRemoved
      ? `${email} cannot enter the account of ${account.email} any more.`
      : `The invitation of ${email} to the account of ${account.email} is taken back.`,
    json: { email: account.email, removed: email },
    change: { account: account.email, member: email },
  };
}
