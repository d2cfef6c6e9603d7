/** What a generated client does against a server, and what it must see. Copied beside the client by the test. */

/** The calls that each client offers, with the types that its generator made. */
export interface Client {
  create(url: string): Promise<{ code: string; destination: string; status: string }>;
  list(limit: number, offset: number): Promise<{ data: { code: string }[]; total: number }>;
  get(code: string): Promise<{ destination: string; last_scan: string | null }>;
  edit(code: string, url: string): Promise<{ destination: string }>;
  stats(code: string): Promise<{ scans: number }>;
  png(code: string): Promise<Blob | File>;
  svg(code: string): Promise<Blob | File>;
  /** Sends a body that is not JSON. */
  createFromBrokenJson(): Promise<unknown>;
}

/** A response as the clients type it, with the error record of the contract. */
interface Result<T> {
  data?: T | undefined;
  error?: { error: { code: string } } | undefined;
  response?: Response | undefined;
}

class Rejected extends Error {}

/** Returns the data of a response. @throws Rejected with status and code of another one */
export function unwrap<T>({ data, error, response }: Result<T>): T {
  if (data !== undefined) return data;
  throw new Rejected(`${response?.status} ${error?.error.code}`);
}

function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

async function rejection(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'accepted';
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
}

async function isPng(image: Blob): Promise<boolean> {
  return new TextDecoder('latin1').decode(await image.slice(1, 4).arrayBuffer()) === 'PNG';
}

/** Runs the scenario and prints what it saw as JSON. */
export async function runScenario(clientFor: (key: string) => Client): Promise<void> {
  const client = clientFor(env('KEY'));
  const created: string[] = [];
  for (let n = 0; n < 5; n++) created.push((await client.create(`https://example.com/${n}`)).code);
  const [first = ''] = created;

  const listed: string[] = [];
  for (let total = 1; listed.length < total; ) {
    const page = await client.list(2, listed.length);
    total = page.total;
    listed.push(...page.data.map(({ code }) => code));
  }

  const edited = await client.edit(first, 'https://example.com/edited');
  const { destination, last_scan } = await client.get(first);
  const seen = {
    listedAll: listed.join() === created.toReversed().join(),
    edited: edited.destination,
    read: { destination, last_scan },
    scans: (await client.stats(first)).scans,
    png: await isPng(await client.png(first)),
    svg: (await (await client.svg(first)).text()).startsWith('<svg'),
    errors: [
      await rejection(client.createFromBrokenJson()),
      await rejection(client.create('ftp://example.com/')),
      await rejection(client.create('http://blocked.example/')),
      await rejection(client.get('00000000')),
      await rejection(clientFor('wmk_wrong').get(first)),
      await rejection(clientFor(env('EXPIRED_KEY')).get(first)),
      await rejection(clientFor(env('UNREADABLE_KEY')).create('https://example.com/')),
      await rejection(exhaust(client, first)),
    ],
  };
  console.log(JSON.stringify(seen));
}

/** Calls until the rate limit rejects a call. */
async function exhaust(client: Client, code: string): Promise<void> {
  for (let n = 0; n < 100; n++) await client.stats(code);
}
