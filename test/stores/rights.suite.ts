import { beforeEach, describe, expect, test } from 'bun:test';
import { Refused } from '../../src/core/errors.ts';
import type { Acting, Actor } from '../../src/core/ports.ts';
import { acting, addOwner, command, newInvitation, newSignIn, noon } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Tests of who may change people, identities and accounts, in the transaction of the change. */
export function rightsSuite({ name, stores, empty }: DatabaseUnderTest): void {
  const { accounts, people, keys, identities, secondFactors, sessions, signInLinks } = stores;
  const newAccount = async (email: string, fields = {}) =>
    (await addOwner(stores, { email, passwordHash: 'initial', ...fields })).accountId;

  let owner = 0;
  let member = 0;
  let actors: Readonly<Record<string, Actor>> = {};

  const roles = ['owner', 'editor', 'stranger', 'operator', 'former operator', 'key', 'plan'];
  const both = ['owner', 'operator'];
  /** Every change, and who may make it beside a command. */
  const changes: Readonly<
    Record<string, readonly [may: readonly string[], change: (by: Acting) => Promise<unknown>]>
  > = {
    invite: [['owner'], (by) => people.invite(by, newInvitation('new@example.com'))],
    'take back': [['owner'], (by) => people.takeBack(by, 'invited@example.com', noon)],
    'change a role': [['owner'], (by) => people.changeRole(by, member, 'viewer', noon)],
    // An editor may leave.
    'remove a person': [['owner', 'editor'], (by) => people.remove(by, member, noon)],
    'replace a key': [['owner'], (by) => keys.replace(by, 'next', 'next', noon)],
    'end the former key': [['owner'], (by) => keys.endFormer(by, noon)],
    'revoke a key': [['owner'], (by) => keys.revoke(by, noon)],
    'change the plan': [['operator'], (by) => accounts.changePlan(by, null, noon)],
    'make an operator': [['operator'], (by) => accounts.changeOperator(by, true, noon)],
    'set a password': [['operator'], (by) => accounts.changePassword(by, 'next', noon)],
    'make a link': [['operator'], (by) => signInLinks.add('link', by, noon + 9, noon)],
    'create an account': [
      ['operator'],
      ({ by }) =>
        accounts.create({
          ...{ email: 'created@example.com', isOperator: true, planUntilMs: null },
          ...{ passwordHash: null, atMs: noon, by },
        }),
    ],
    'change the address': [both, (by) => accounts.changeEmail(by, 'a@example.com', noon)],
    'change the time zone': [['owner'], (by) => accounts.changeTimeZone(by, 'Etc/UTC', noon)],
    'change texts': [
      ['owner'],
      (by) => accounts.changePausedTexts(by, { businessName: 'B' }, noon),
    ],
    'turn the second factor off': [both, (by) => secondFactors.remove(by, noon)],
    'end sessions': [both, (by) => sessions.removeAll(by, noon)],
    'connect an identity': [
      ['owner'],
      (by) =>
        identities.bind(by, {
          identity: { issuer: 'i', subject: 'other' },
          ...{ stepHash: null, replacesOthers: false, atMs: noon },
        }),
    ],
    'disconnect an identity': [['owner'], (by) => identities.remove(by, noon, null)],
    'give the codes away': [
      ['operator'],
      ({ by }) => accounts.remove(owner, { kind: 'give', to: member, by }, noon, by),
    ],
    'delete the account': [both, ({ by }) => accounts.remove(owner, { kind: 'keep' }, noon, by)],
  };

  describe(`${name}: who may`, () => {
    beforeEach(async () => {
      await empty();
      owner = await newAccount('owner@example.com');
      const addresses = ['editor', 'stranger', 'operator', 'former'];
      const [editor = 0, stranger = 0, operator = 0, former = 0] = await Promise.all(
        addresses.map((of) => newAccount(`${of}@example.com`)),
      );
      member = editor;
      for (const id of [operator, former]) await accounts.changeOperator(acting(id), true, noon);
      // While the form of the change was on its way.
      await accounts.changeOperator(acting(former), false, noon);
      const invitation = newInvitation('editor@example.com', { hash: 'h', role: 'editor' });
      await people.invite(acting(owner), invitation);
      await people.join('h', editor, 'none', noon);
      await people.invite(acting(owner), newInvitation('invited@example.com', { hash: 'i' }));
      await keys.replace(acting(owner), 'first', 'irst', 1);
      await keys.replace(acting(owner), 'second', 'cond', 2, { formerUntilMs: noon * 2 });
      await secondFactors.add(owner, 'secret', 1, ['a'], noon);
      const identity = { issuer: 'i', subject: 's' };
      const binding = { identity, stepHash: null, replacesOthers: false, atMs: noon };
      await identities.bind(acting(owner), binding);
      await identities.signIn(identity, owner, newSignIn('session', noon), null);
      actors = {
        owner: { kind: 'person', accountId: owner },
        editor: { kind: 'person', accountId: editor },
        stranger: { kind: 'person', accountId: stranger },
        operator: { kind: 'operator', accountId: operator },
        'former operator': { kind: 'operator', accountId: former },
        key: { kind: 'key', lastFour: 'cond' },
        plan: { kind: 'plan', accountId: owner },
      };
    });

    /** Returns what a refused change must leave as it is. */
    const stateOf = async () => ({
      account: await accounts.find(owner),
      all: (await accounts.search('')).accounts.map(({ email }) => email),
      people: [await people.members(owner), await people.invitations(owner)],
      key: await keys.findByAccount(owner),
      identity: await identities.ofAccount(owner),
      factor: await secondFactors.find(owner),
      session: await sessions.find('session'),
      link: await signInLinks.find('link', noon),
      password: (await stores.credentials.find('owner@example.com'))?.passwordHash,
    });

    test.each(Object.entries(changes))('%s', async (_, [may, change]) => {
      for (const role of roles.filter((one) => !may.includes(one))) {
        const before = await stateOf();
        const by = actors[role] ?? command;
        const error: unknown = await change({ accountId: owner, by }).then(
          () => role,
          (reason: unknown) => reason,
        );
        expect(error).toBeInstanceOf(Refused);
        expect(error).toMatchObject({ reason: { kind: 'no right' } });
        expect(await stateOf()).toEqual(before);
      }
    });

    test.each(
      Object.entries(changes).flatMap(([what, [may, change]]) =>
        [...may, 'command'].map((role) => [what, role, change] as const),
      ),
    )('%s as %s', async (_, role, change) => {
      const by = actors[role] ?? command;
      await change({ accountId: owner, by });
    });
  });
}
