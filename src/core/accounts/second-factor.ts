import { isSealed } from '../../lib/secrets/sealing.ts';
import { encodeTotpSecret, totpSecretBytes, totpStepOf, totpUri } from '../../lib/secrets/totp.ts';
import type { Acting, Clock, RandomBytes } from '../ports.ts';
import type { ActivityStore } from './activity/ports.ts';
import type { SecondFactorStore, SecretBox } from './ports.ts';
import { hashToken } from './session.ts';

const recoveryCodeCount = 10;
// 80 bits: nobody guesses one, so that no slow hash is needed.
const recoveryCodeBytes = 10;

/** Returns whether a text is a secret as it is stored. */
export function isStoredTotpSecret(text: string): boolean {
  return isTotpSecret(text) || isSealed(text);
}

/** Returns whether a text is a secret as {@link SecondFactors.newSecret} makes it. */
export function isTotpSecret(text: string): boolean {
  return /^[A-Z2-7]{32}$/.test(text);
}

/** How a code was accepted. A recovery code is used up, and tells how many are left. */
export interface AcceptedCode {
  /** Null for a code of the app. */
  readonly recoveryCodesLeft: number | null;
}

/**
 * The answer to a code of the second factor.
 * `wrong`: also while there is no second factor. `unreadable`: the server lacks the key of the secret, so no code of
 * the app can be verified.
 */
export type CodeAnswer =
  | ({ readonly outcome: 'accepted' } & AcceptedCode)
  | { readonly outcome: 'wrong' | 'unreadable' };

/** Result of turning it on. The recovery codes cannot be read again. */
type TurnOnResult =
  | { readonly outcome: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly outcome: 'wrong code' | 'on already' };

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/**
 * Manages second factors: codes of an authenticator app (RFC 6238), and recovery codes.
 * The app's are asked for after the password; recovery codes are for who has lost the app. Guesses are limited by
 * `createSignIn`.
 */
export function createSecondFactors(deps: {
  store: SecondFactorStore;
  box: SecretBox;
  activity: Pick<ActivityStore, 'add'>;
  clock: Pick<Clock, 'nowMs'>;
  randomBytes: RandomBytes;
}) {
  const { store, box, activity, clock, randomBytes } = deps;

  /** Records a wrong code. Guesses are so few that each is an entry, see `createSignIn`. */
  const recordWrong = async (accountId: number): Promise<CodeAnswer> => {
    const by = { kind: 'person', accountId } as const;
    await activity.add({ accountId, by }, { kind: 'second-factor-failed' }, clock.nowMs());
    return { outcome: 'wrong' };
  };

  /** Generates recovery codes such as `0a1b2-c3d4e-5f607-18293`, which cannot be read again. */
  const newRecoveryCodes = () => {
    const codes = Array.from({ length: recoveryCodeCount }, () =>
      randomBytes(recoveryCodeBytes).toHex(),
    );
    return {
      shown: codes.map((code) => code.replaceAll(/.{5}(?=.)/g, '$&-')),
      hashes: codes.map(hashToken),
    };
  };

  return {
    /** Returns how many recovery codes are left; null while the account has no second factor. */
    status: async (accountId: number): Promise<{ recoveryCodesLeft: number } | null> => {
      const factor = await store.find(accountId);
      return factor && { recoveryCodesLeft: factor.recoveryHashes.length };
    },

    /** Generates the secret for an app. It is stored by `turnOn`. */
    newSecret: (): string => encodeTotpSecret(randomBytes(totpSecretBytes)),

    /** Returns what an app reads from a QR code. */
    uriOf: totpUri,

    /** Turns it on, if the app shows the right code. */
    turnOn: async (accountId: number, secret: string, code: string): Promise<TurnOnResult> => {
      const step = totpStepOf(normalized(code), secret, clock.nowMs());
      if (step === null) return { outcome: 'wrong code' };
      const { shown, hashes } = newRecoveryCodes();
      const sealed = await box.seal(accountId, secret);
      return (await store.add(accountId, sealed, step, hashes, clock.nowMs()))
        ? { outcome: 'on', recoveryCodes: shown }
        : { outcome: 'on already' };
    },

    /** Accepts a code of the app or a recovery code, each once. */
    use: async (accountId: number, text: string): Promise<CodeAnswer> => {
      const code = normalized(text);
      if (code.length === 2 * recoveryCodeBytes) {
        const recovery = await store.useRecoveryCode(accountId, hashToken(code), clock.nowMs());
        if (recovery.outcome === 'used')
          return { outcome: 'accepted', recoveryCodesLeft: recovery.codesLeft };
      }
      const factor = await store.find(accountId);
      if (factor === null) return { outcome: 'wrong' };
      const secret = await box.open(accountId, factor.secret);
      if (secret === null) return { outcome: 'unreadable' };
      const step = totpStepOf(code, secret, clock.nowMs());
      const isUsed = step !== null && (await store.useStep(accountId, factor.secret, step));
      return isUsed ? { outcome: 'accepted', recoveryCodesLeft: null } : recordWrong(accountId);
    },

    /** Replaces the recovery codes. */
    renewRecoveryCodes: async (accountId: number): Promise<readonly string[]> => {
      const { shown, hashes } = newRecoveryCodes();
      await store.replaceRecoveryCodes(accountId, hashes, clock.nowMs());
      return shown;
    },

    /** Turns it off. Resolves false when it was. */
    turnOff: (acting: Acting): Promise<boolean> => store.remove(acting, clock.nowMs()),
  };
}

function normalized(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}
