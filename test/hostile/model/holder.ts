import { type PanelClient, signedIn } from '../../panel/client.ts';
import type { Server } from '../../support/server.ts';
import type { Who } from './step.ts';

/** What the model knows of a QR. */
export interface ModelQr {
  readonly code: string;
  readonly url: string;
  destination: string;
  scans: number;
  paused: boolean;
}

/** An account as the model has it, and the browser of its holder. */
export interface ModelHolder {
  readonly email: string;
  readonly panel: PanelClient;
  readonly id: string;
  key: string | null;
  readonly oldKeys: string[];
  planActive: boolean;
  /** In the order in which they were created. */
  readonly qrs: ModelQr[];
}

/** Two accounts without a key, and an operator who sets their plans. */
export async function createHolders(
  server: Server,
): Promise<{ operator: PanelClient; holders: Readonly<Record<Who, ModelHolder>> }> {
  const operator = await signedIn(server, 'operator@example.org', ['--operator']);
  const make = async (email: string): Promise<ModelHolder> => {
    const panel = await signedIn(server, email, ['--plan-until', '2099-12-31']);
    const { text } = await operator.get(`/account/accounts?q=${email}`);
    const id = /\/account\/accounts\/(\d+)"/.exec(text)?.[1];
    if (id === undefined) throw new Error(`no account of ${email} is listed`);
    return { email, panel, id, key: null, oldKeys: [], planActive: true, qrs: [] };
  };
  return {
    operator,
    holders: { 0: await make('alice@example.org'), 1: await make('bob@example.org') },
  };
}

/** Generates a key in the panel; null where the panel refuses. */
export async function generateKey({ panel }: ModelHolder): Promise<string | null> {
  const { text } = await panel.get('/account/key');
  const replaces = /name="replaces" value="(\d*)"/.exec(text)?.[1] ?? '';
  const made = await panel.post('/account/key', { csrf: await panel.csrf(), replaces });
  return /wmk_[0-9a-f]{40}/.exec(made.text)?.[0] ?? null;
}

/** Sets when the plan of an account ends. */
export async function setPlan(
  operator: PanelClient,
  { id }: ModelHolder,
  plan: string,
): Promise<void> {
  const form = { csrf: await operator.csrf(), plan };
  const answer = await operator.post(`/account/accounts/${id}/plan`, form);
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`);
}
