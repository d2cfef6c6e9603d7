import type { Said } from '../../languages/texts.ts';

/** A request of the panel, or a text in it, cannot be used. The message is for the person who sent it. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';

  constructor(readonly said: Said) {
    super(typeof said === 'string' ? said : 'a text was rejected');
  }
}
