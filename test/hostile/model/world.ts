import type { Server } from '../../support/server.ts';
import { visit } from '../../support/visit.ts';
import { asList, asRecord, asStats, outcome } from '../../support/wire.ts';
import { createHolders, generateKey, type ModelHolder, type ModelQr, setPlan } from './holder.ts';
import type { Choice, Step } from './step.ts';

/** A server and what should be in it. */
export interface ModelWorld {
  /**
   * Does one thing to the server and to the model.
   *
   * @throws Error where they differ
   */
  take(step: Step): Promise<void>;
  /** Holds everything that can be read against the model. */
  compareAll(): Promise<void>;
}

const nobody: ModelQr = { code: 'zzzzzzzz', url: '', destination: '', scans: 0, paused: false };

export async function createModelWorld(server: Server): Promise<ModelWorld> {
  const { operator, holders } = await createHolders(server);
  const linkOf = ({ code }: ModelQr) => `${server.origin}/${code}`;

  const chosen = ({ owner, nth, none }: Choice): ModelQr => {
    const { qrs } = holders[owner];
    return none || qrs.length === 0 ? nobody : (qrs[nth % qrs.length] ?? nobody);
  };
  const call = (holder: ModelHolder, line: string, body?: unknown) =>
    server.api(holder.key ?? `wmk_${'0'.repeat(40)}`).call(line, body);
  /** What stands before everything else, or null where the door is open. */
  const refusal = ({ key, planActive }: ModelHolder) => {
    if (key === null) return '401 unauthorized';
    return planActive ? null : '402 plan_required';
  };
  const isUrl = (url: string) => url.startsWith('https://') && !url.includes(' ');

  async function create(holder: ModelHolder, url: string): Promise<void> {
    const answer = await call(holder, 'POST /qrs', { url });
    const expected = refusal(holder) ?? (isUrl(url) ? '201' : '400 invalid_url');
    same('create', outcome(answer), expected);
    if (answer.status !== 201) return;
    const { code, url: link, destination, scans, status } = asRecord(answer.json);
    same(
      'created',
      { destination, scans, status },
      { destination: url, scans: 0, status: 'active' },
    );
    holder.qrs.push({ code, url: link, destination, scans, paused: false });
  }

  async function patch(holder: ModelHolder, qr: ModelQr, url: string): Promise<void> {
    const answer = await call(holder, `PATCH /qrs/${qr.code}`, { url });
    const own = holder.qrs.includes(qr);
    const expected =
      refusal(holder) ?? (own ? (isUrl(url) ? '200' : '400 invalid_url') : '404 not_found');
    same('patch', outcome(answer), expected);
    if (answer.status === 200) qr.destination = url;
  }

  async function read(holder: ModelHolder, qr: ModelQr, what: string): Promise<void> {
    const suffix = { read: '', stats: '/stats', image: '.svg' }[what] ?? '';
    const answer = await call(holder, `GET /qrs/${qr.code}${suffix}`);
    const found = holder.qrs.includes(qr) ? '200' : '404 not_found';
    same(what, outcome(answer), refusal(holder) ?? found);
    if (answer.status !== 200) return;
    if (what === 'read') same('record', told(asRecord(answer.json)), expectedOf(qr));
    if (what === 'stats') same('stats', asStats(answer.json).scans, qr.scans);
  }

  async function list(holder: ModelHolder, limit: number, offset: number): Promise<void> {
    const answer = await call(holder, `GET /qrs?limit=${limit}&offset=${offset}`);
    same('list', outcome(answer), refusal(holder) ?? '200');
    if (answer.status !== 200) return;
    const { data, total } = asList(answer.json);
    same('total', total, holder.qrs.length);
    const expected = holder.qrs.toReversed().slice(offset, offset + limit);
    // Those created within one millisecond are in the order of their codes.
    same('page', data.map(told).sort(byCode), expected.map(expectedOf).sort(byCode));
  }

  async function scan(qr: ModelQr, method: 'GET' | 'HEAD'): Promise<void> {
    const { status, to } = await visit(linkOf(qr), {}, method);
    if (qr === nobody) return same('scan', status, 404);
    if (qr.paused) return same('scan', status, 410);
    same('scan', { status, to }, { status: 302, to: qr.destination });
    if (method === 'GET') qr.scans++;
  }

  async function pause(holder: ModelHolder, qr: ModelQr, paused: boolean): Promise<void> {
    const path = `/account/codes/${qr.code}/${paused ? 'pause' : 'resume'}`;
    const answer = await holder.panel.post(path, { csrf: await holder.panel.csrf() });
    if (!holder.qrs.includes(qr)) return same('pause', answer.status, 404);
    same('pause', answer.status, 303);
    qr.paused = paused;
  }

  async function generate(holder: ModelHolder): Promise<void> {
    const key = await generateKey(holder);
    same('generate', key !== null, holder.planActive);
    if (key === null) return;
    if (holder.key !== null) holder.oldKeys.push(holder.key);
    holder.key = key;
  }

  async function revoke(holder: ModelHolder): Promise<void> {
    await holder.panel.post('/account/key/revoke', { csrf: await holder.panel.csrf() });
    if (holder.key !== null) holder.oldKeys.push(holder.key);
    holder.key = null;
  }

  async function renew(holder: ModelHolder, active: boolean): Promise<void> {
    await setPlan(operator, holder, active ? '2099-12-31' : '2020-01-01');
    holder.planActive = active;
  }

  async function tryOldKey({ oldKeys }: ModelHolder): Promise<void> {
    const old = oldKeys.at(-1);
    if (old === undefined) return;
    same('old key', outcome(await server.api(old).call('GET /qrs')), '401 unauthorized');
  }

  return {
    take: async (step) => {
      if (step.do === 'scan') return scan(chosen(step.qr), step.method);
      const holder = holders[step.who];
      switch (step.do) {
        case 'create':
          return create(holder, step.url);
        case 'patch':
          return patch(holder, chosen(step.qr), step.url);
        case 'list':
          return list(holder, step.limit, step.offset);
        case 'pause':
        case 'resume':
          return pause(holder, chosen(step.qr), step.do === 'pause');
        case 'generate':
          return generate(holder);
        case 'revoke':
          return revoke(holder);
        case 'use an old key':
          return tryOldKey(holder);
        case 'expire':
        case 'renew':
          return renew(holder, step.do === 'renew');
        default:
          return read(holder, chosen(step.qr), step.do);
      }
    },
    compareAll: async () => {
      for (const who of [0, 1] as const) {
        await renew(holders[who], true);
        if (holders[who].key === null) await generate(holders[who]);
        for (const qr of holders[who].qrs) await read(holders[who], qr, 'read');
        await list(holders[who], 100, 0);
        await tryOldKey(holders[who]);
      }
    },
  };
}

interface Told {
  readonly code: string;
  readonly url: string;
  readonly destination: string;
  readonly scans: number;
  readonly status: string;
}

function told({ code, url, destination, scans, status }: Told): Told {
  return { code, url, destination, scans, status };
}

function expectedOf({ code, url, destination, scans, paused }: ModelQr): Told {
  return { code, url, destination, scans, status: paused ? 'paused' : 'active' };
}

function byCode(one: Told, other: Told): number {
  return one.code < other.code ? -1 : 1;
}

function same(what: string, found: unknown, expected: unknown): void {
  if (Bun.deepEquals(found, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
}
