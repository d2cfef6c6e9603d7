/** The configuration does not fit the data; the message says what to change. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
