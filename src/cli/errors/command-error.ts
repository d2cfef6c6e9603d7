/** Exit codes: 0 done, 1 rejected with a reason on stderr, 2 wrong usage. */
export const exitCodes = { done: 0, rejected: 1, misused: 2 } as const;

/** A command cannot be carried out; the message is the reason. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A value on the command line is wrong; the message says what it must be. The exit code is 2. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}
