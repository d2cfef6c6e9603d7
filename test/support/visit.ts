/** The response to a scan. */
export interface Visit {
  readonly status: number;
  /** The `Location` header, or null. */
  readonly to: string | null;
  readonly headers: Headers;
  readonly body: string;
}

/** Opens an address as a phone does, without following redirects. */
export async function visit(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'HEAD' = 'GET',
): Promise<Visit> {
  const answer = await fetch(address, { method, headers, redirect: 'manual', keepalive: false });
  const { status } = answer;
  const to = answer.headers.get('location');
  return { status, to, headers: answer.headers, body: await answer.text() };
}
