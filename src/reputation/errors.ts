/** A request about threat lists, rules or providers that is invalid; the message is for operators. */
export class InvalidListRequest extends Error {
  override readonly name = 'InvalidListRequest';
}
