import fc from 'fast-check';
import type { Answer, Api } from '../../support/api.ts';
import type { QrRecord } from '../../support/wire.ts';

/** What random requests are sent to. */
export interface Target {
  readonly origin: string;
  readonly key: string;
  /** Holds every answer against the OpenAPI document and the spec's envelope. */
  readonly api: Api;
  /** A QR of the key's account. */
  readonly qr: QrRecord;
}

/** One kind of random input, and what must hold of the answer to each. */
export interface Kind {
  readonly name: string;
  /**
   * The property that holds for every input of the kind.
   *
   * @param note told how each was answered
   */
  property(target: Target, note: (answer: string) => void): fc.IAsyncProperty<[unknown]>;
}

/** A kind whose inputs are sent by `send`, which throws where an answer is not as it must be. */
export const kind = <T>(
  name: string,
  inputs: fc.Arbitrary<T>,
  send: (target: Target, input: T) => Promise<string>,
): Kind => ({
  name,
  property: (target, note) =>
    fc.asyncProperty(inputs as fc.Arbitrary<unknown>, async (input) => {
      note(await send(target, input as T)); // the very inputs that `inputs` made
    }),
});

/** The statuses of all answers over one connection. */
export const statusesOf = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).join(' then ');

/** Keeps the promise that a key is told in no answer. */
export function silentAbout(secret: string, said: string): void {
  if (said.includes(secret)) throw new Error(`the key is told: ${said}`);
}

/** @throws Error that names the input when what was found is not allowed */
export function expectOneOf(found: string, allowed: RegExp, input: unknown): string {
  if (!allowed.test(found)) throw new Error(`${found} to ${JSON.stringify(input)}`);
  return found;
}
