/** What the operator said about a domain or URL. It wins over every list and provider. */
export interface Rule {
  readonly decision: 'allow' | 'block';
  /** The host, with the path where only a part of it is meant. */
  readonly expression: string;
  readonly addedAtMs: number;
  /** Why, for whoever reads it later; may be empty. */
  readonly note: string;
}
