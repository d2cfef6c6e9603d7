/** The configuration does not fit the data; the message says what to change. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
