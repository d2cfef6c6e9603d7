import { beforeEach, describe, expect, test } from 'bun:test';
import {
  maxAccounts,
  maxInvitations,
  maxMembers,
  type NewInvitation,
} from '../../src/core/accounts/people/ports.ts';
import type { MemberRole } from '../../src/core/accounts/people/role.ts';
import type { Acting } from '../../src/core/ports.ts';
import type { Stores } from '../../src/core/storage.ts';
import { acting, addOwner, addQr, day, newInvitation, newSignIn, noon } from './rows.ts';
import type { DatabaseUnderTest } from './suites.ts';

/** Tests of the store of people, and of what sessions see of it, for every adapter. */
export function peopleStoreSuite({ name, stores, others, empty }: DatabaseUnderTest): void {
  const { accounts, credentials, people, sessions } = stores;

  const newAccount = async (name: string, fields = {}) => {
    const row = { email: `${name}@example.com`, passwordHash: 'initial', ...fields };
    return (await addOwner(stores, row)).accountId;
  };
  const by = (accountId: number): Acting => ({ accountId, by: { kind: 'person', accountId } });
  const invite = (accountId: number, invitation: NewInvitation) =>
    people.invite(by(accountId), invitation);
  /** Returns the newest entries of the activity of an account, the newest first. */
  const recorded = async (accountId: number, limit: number) =>
    (await stores.activity.page(accountId, {}, null, limit)).entries.map(
      ({ kind, email, subject, before, after }) => [kind, email, subject, before, after],
    );
  const signIn = async (id: number, hash: string, atMs = noon) => {
    expect(await credentials.signIn(id, 'initial', newSignIn(hash, atMs), null)).toBe('stored');
  };
  /** Makes a person a member. */
  const join = async (accountId: number, person: string, role: MemberRole = 'editor') => {
    const email = `${person}@example.com`;
    const { id = 0 } = (await accounts.findByEmail(email)) ?? {};
    const hash = `${accountId} ${person}`;
    expect(await invite(accountId, newInvitation(email, { role, hash }))).toBe('invited');
    expect(await people.join(hash, id, 'none', noon)).toMatchObject({ outcome: 'joined', role });
    return id;
  };
  const enteredBy = async (hash: string, from: Stores = stores) => {
    const entered = (await from.sessions.find(hash))?.entered;
    return entered === null || entered === 'lost' || entered === undefined
      ? entered
      : [entered.account.email, entered.role];
  };

  describe(`${name}: people`, () => {
    let owner = 0;
    let maria = 0;
    beforeEach(async () => {
      await empty();
      owner = await newAccount('owner');
      maria = await newAccount('maria');
    });

    test('join by an invitation for their address, which works once', async () => {
      await signIn(maria, 'in');
      const invitation = newInvitation('maria@example.com', { hash: 'h', role: 'viewer' });
      expect(await invite(owner, invitation)).toBe('invited');
      expect(await people.findInvitation('h', noon)).toMatchObject({
        ...{ email: 'maria@example.com', role: 'viewer', expiresAtMs: noon + 7 * day },
        ...{ account: { id: owner }, person: { id: maria } },
      });
      expect(await people.invitations(owner)).toMatchObject([{ email: 'maria@example.com' }]);
      expect(await people.join('h', maria, 'in', noon)).toMatchObject({
        outcome: 'joined',
        ...{ account: { id: owner, email: 'owner@example.com' }, role: 'viewer' },
      });
      expect(await people.invitations(owner)).toEqual([]);
      expect(await people.join('h', maria, 'in', noon)).toEqual({ outcome: 'gone' });
      expect(await people.findInvitation('h', noon)).toBeNull();
      expect(await people.members(owner)).toEqual([
        {
          ...{ id: maria, email: 'maria@example.com', role: 'viewer' },
          ...{ sinceMs: noon, lastSeenMs: noon },
        },
      ]);
      expect(await people.accountsOf(maria)).toMatchObject([{ account: { id: owner } }]);
      expect(await people.accountsOf(owner)).toEqual([]);
      expect(await enteredBy('in')).toEqual(['owner@example.com', 'viewer']);
    });

    test('cannot use an invitation of somebody else, nor one that is over', async () => {
      const ben = await newAccount('ben');
      await invite(owner, newInvitation('maria@example.com', { hash: 'h' }));
      expect(await people.join('h', ben, 'in', noon)).toEqual({ outcome: 'other person' });
      expect(await people.join('h', maria, 'in', noon + 7 * day)).toEqual({ outcome: 'gone' });
      expect(await people.join('other', maria, 'in', noon)).toEqual({ outcome: 'gone' });
      expect(await people.members(owner)).toEqual([]);
    });

    test('are invited anew in place of the earlier invitation', async () => {
      const email = 'maria@example.com';
      await invite(owner, newInvitation(email, { hash: 'first', role: 'viewer' }));
      await invite(owner, newInvitation(email, { hash: 'second', role: 'editor' }));
      expect(await people.join('first', maria, 'in', noon)).toEqual({ outcome: 'gone' });
      expect(await people.invitations(owner)).toMatchObject([{ role: 'editor' }]);
      expect(await people.join('second', maria, 'in', noon)).toMatchObject({ role: 'editor' });
      expect(await invite(owner, newInvitation(email))).toBe('member');
      expect(await invite(owner, newInvitation('owner@example.com'))).toBe('owner');
    });

    test('are not invited any more when the invitation is taken back', async () => {
      await invite(owner, newInvitation('maria@example.com', { hash: 'h' }));
      expect(await people.takeBack(by(maria), 'maria@example.com', noon)).toBe(false);
      expect(await people.takeBack(by(owner), 'maria@example.com', noon)).toBe(true);
      expect(await people.takeBack(by(owner), 'maria@example.com', noon)).toBe(false);
      expect(await people.join('h', maria, 'in', noon)).toEqual({ outcome: 'gone' });
    });

    test('of whom two use one invitation at once: one joins', async () => {
      await invite(owner, newInvitation('maria@example.com', { hash: 'h' }));
      const results = await Promise.all([
        people.join('h', maria, 'a', noon),
        others.people.join('h', maria, 'b', noon),
        people.join('h', maria, 'c', noon),
      ]);
      expect(results.filter(({ outcome }) => outcome === 'gone')).toHaveLength(2);
      expect(await people.members(owner)).toHaveLength(1);
    });

    test('without an account get one by the invitation, without a plan, in the account', async () => {
      await invite(owner, newInvitation('new@example.com', { hash: 'h' }));
      expect(await people.findInvitation('h', noon)).toMatchObject({ person: null });
      const results = await Promise.all([
        people.createAndJoin('h', 'hash', newSignIn('one', noon)),
        others.people.createAndJoin('h', 'hash', newSignIn('two', noon)),
      ]);
      const person = { email: 'new@example.com', isOperator: false, planUntilMs: noon - 1 };
      const joined = results.filter(({ outcome }) => outcome === 'joined');
      expect(joined).toMatchObject([{ outcome: 'joined', person }]);
      expect(results).toContainEqual({ outcome: 'gone' });
      const signedIn = results[0].outcome === 'gone' ? 'two' : 'one';
      expect(await enteredBy(signedIn)).toEqual(['owner@example.com', 'editor']);
      expect(await credentials.find('new@example.com')).toMatchObject({ passwordHash: 'hash' });
    });

    test('with an account get no other one by the invitation', async () => {
      await invite(owner, newInvitation('maria@example.com', { hash: 'h' }));
      expect(await people.createAndJoin('h', 'hash', newSignIn('one', noon))).toEqual({
        outcome: 'other person',
      });
      expect(await sessions.find('one')).toBeNull();
      expect(await credentials.find('maria@example.com')).toMatchObject({
        passwordHash: 'initial',
      });
      expect(await people.invitations(owner)).toHaveLength(1);
    });

    test('are forgotten some time after their invitation has ended', async () => {
      await invite(owner, newInvitation('ben@example.com', { atMs: noon }));
      const later = (days: number) => noon + days * day;
      await invite(owner, newInvitation('cleo@example.com', { atMs: later(36) }));
      expect(await people.invitations(owner)).toHaveLength(2);
      await invite(owner, newInvitation('dora@example.com', { atMs: later(38) }));
      expect((await people.invitations(owner)).map(({ email }) => email)).toEqual([
        'dora@example.com',
      ]);
    });

    test('are limited in number, as are invitations, and the accounts of a person', async () => {
      for (let at = 0; at < maxInvitations; at++)
        expect(await invite(owner, newInvitation(`${at}@example.net`))).toBe('invited');
      const more = newInvitation('maria@example.com', { hash: 'h' });
      expect(await invite(owner, more)).toBe('too many invitations');
      expect(await invite(owner, newInvitation('1@example.net'))).toBe('invited');
      await people.takeBack(by(owner), '1@example.net', noon);
      expect(await invite(owner, more)).toBe('invited');
      await people.takeBack(by(owner), '2@example.net', noon);
      await invite(owner, newInvitation('new@example.com', { hash: 'new' }));
      for (let at = 0; at < maxMembers; at++) {
        const { accountId: other } = await addOwner(stores, { email: `${at}@example.org` });
        const hash = `member ${at}`;
        await people.takeBack(by(owner), '3@example.net', noon);
        await invite(owner, newInvitation(`${at}@example.org`, { hash }));
        expect(await people.join(hash, other, 'none', noon)).toMatchObject({ role: 'editor' });
        await invite(other, newInvitation('maria@example.com', { hash: `to ${at}` }));
        expect(await people.join(`to ${at}`, maria, 'none', noon)).toMatchObject({
          outcome: 'joined',
        });
      }
      expect(await invite(owner, more)).toBe('too many people');
      expect(await people.join('h', maria, 'none', noon)).toEqual({ outcome: 'too many people' });
      expect(await people.createAndJoin('new', 'hash', newSignIn('x', noon))).toEqual({
        outcome: 'too many people',
      });
      expect(await accounts.findByEmail('new@example.com')).toBeNull();
      const ben = await newAccount('ben');
      await invite(ben, newInvitation('maria@example.com', { hash: 'from ben' }));
      expect(await people.accountsOf(maria)).toHaveLength(maxAccounts);
      expect(await people.join('from ben', maria, 'none', noon)).toEqual({
        outcome: 'too many accounts',
      });
    });

    test('lose the account with the next look-up of the session, in any process', async () => {
      await join(owner, 'maria');
      await signIn(maria, 'in');
      expect(await enteredBy('in')).toBeNull();
      expect(await sessions.enter('in', owner)).toBe(true);
      expect(await enteredBy('in', others)).toEqual(['owner@example.com', 'editor']);
      expect(await others.people.changeRole(by(owner), maria, 'viewer', noon)).toBe(true);
      expect(await enteredBy('in')).toEqual(['owner@example.com', 'viewer']);
      expect(await others.people.remove(by(owner), maria, noon)).toBe(true);
      expect(await enteredBy('in')).toBe('lost');
      expect(await sessions.enter('in', owner)).toBe(false);
      expect(await people.remove(by(owner), maria, noon)).toBe(false);
      expect(await people.changeRole(by(owner), maria, 'editor', noon)).toBe(false);
      expect(await sessions.enter('in', maria)).toBe(true);
      expect(await enteredBy('in')).toBeNull();
    });

    test('are in the activity of the account, with who did it', async () => {
      await join(owner, 'maria', 'viewer');
      await people.changeRole(by(owner), maria, 'editor', noon);
      await people.changeRole(by(owner), maria, 'editor', noon);
      await people.remove(acting(owner), maria, noon);
      await join(owner, 'maria');
      await people.remove(
        { accountId: owner, by: { kind: 'person', accountId: maria } },
        maria,
        noon,
      );
      await invite(owner, newInvitation('ben@example.com', { role: 'viewer' }));
      await people.takeBack(by(owner), 'ben@example.com', noon);
      await people.takeBack(by(owner), 'ben@example.com', noon);
      const [o, m, b] = ['owner@example.com', 'maria@example.com', 'ben@example.com'];
      expect(await recorded(owner, 9)).toEqual([
        ['invitation-cancelled', o, b, null, null],
        ['person-invited', o, b, null, 'viewer'],
        ['person-left', m, m, null, null],
        ['person-joined', m, m, null, 'editor'],
        ['person-invited', o, m, null, 'editor'],
        ['person-removed', null, m, null, null],
        ['role-changed', o, m, 'viewer', 'editor'],
        ['person-joined', m, m, null, 'viewer'],
        ['person-invited', o, m, null, 'viewer'],
      ]);
    });

    test('are named by their address of today, and by none once their account is deleted', async () => {
      await join(owner, 'maria');
      const ben = await newAccount('ben');
      await invite(ben, newInvitation('maria@example.com'));
      const named = async () =>
        (await recorded(owner, 2)).map(([kind, , subject]) => [kind, subject]);
      const address = 'mia@example.com';
      expect(await accounts.changeEmail(by(maria), address, noon)).toBe('changed');
      expect(await named()).toEqual([
        ['person-joined', address],
        ['person-invited', address],
      ]);
      await invite(ben, newInvitation(address));
      expect(await accounts.remove(maria, { kind: 'keep' }, noon, { kind: 'command' })).toBe(
        'removed',
      );
      expect(await named()).toEqual([
        ['person-joined', null],
        ['person-invited', null],
      ]);
      expect(JSON.stringify(await people.invitations(ben))).not.toContain(address);
    });

    test('enter no account of which they are no members, nor an unknown one', async () => {
      await signIn(maria, 'in');
      for (const id of [owner, 987_654]) expect(await sessions.enter('in', id)).toBe(false);
      expect(await sessions.enter('unknown', maria)).toBe(false);
      expect(await enteredBy('in')).toBeNull();
    });

    test('begin in the first account of somebody else if there is nothing in the own one', async () => {
      const expired = { planUntilMs: noon - 1 };
      const ben = await newAccount('ben', expired);
      await join(owner, 'ben');
      await join(maria, 'ben');
      await signIn(ben, 'idle');
      expect(await enteredBy('idle')).toEqual(['owner@example.com', 'editor']);
      const { id: designId } = await stores.designs.findDefault(ben);
      await addQr(stores, { accountId: ben, designId });
      await signIn(ben, 'with codes');
      expect(await enteredBy('with codes')).toBeNull();
      const cleo = await newAccount('cleo', { planUntilMs: noon });
      await join(owner, 'cleo');
      await signIn(cleo, 'with a plan');
      expect(await enteredBy('with a plan')).toBeNull();
    });

    test('are gone with the account, and leave the accounts of others when they are deleted', async () => {
      await join(owner, 'maria');
      await invite(owner, newInvitation('cleo@example.com', { hash: 'h' }));
      const ben = await newAccount('ben');
      await join(owner, 'ben', 'viewer');
      await signIn(maria, 'in');
      await sessions.enter('in', owner);
      expect(await accounts.remove(ben, { kind: 'keep' }, noon, { kind: 'command' })).toBe(
        'removed',
      );
      expect(await people.members(owner)).toMatchObject([{ id: maria }]);
      expect(await accounts.remove(owner, { kind: 'keep' }, noon, { kind: 'command' })).toBe(
        'removed',
      );
      expect(await people.accountsOf(maria)).toEqual([]);
      expect(await enteredBy('in')).toBe('lost');
      expect(await people.findInvitation('h', noon)).toBeNull();
    });
  });
}
