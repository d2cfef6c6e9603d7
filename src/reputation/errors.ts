/** Something an operator asked of the safety lists that cannot be done; the message is for them. */
export class InvalidListRequest extends Error {
  override readonly name = 'InvalidListRequest';
}
