import { createClient, createConfig } from './generated/client/index.ts';
import {
  createQr,
  getQr,
  getQrPng,
  getQrStats,
  getQrSvg,
  listQrs,
  updateQr,
} from './generated/sdk.gen.ts';
import type { ErrorRecord } from './generated/types.gen.ts';
import { Rejected, runScenario } from './scenario.ts';

interface Result<T> {
  data?: T | undefined;
  error?: ErrorRecord | undefined;
  response?: Response | undefined;
}

function unwrap<T>({ data, error, response }: Result<T>): T {
  if (data !== undefined) return data;
  throw new Rejected(response?.status ?? 0, error?.error.code ?? '');
}

await runScenario((key) => {
  const client = createClient(createConfig({ baseUrl: process.env['ORIGIN'] ?? '', auth: key }));
  const at = (code: string) => ({ client, path: { code } });
  return {
    create: async (url) => unwrap(await createQr({ client, body: { url } })),
    list: async (limit, offset) => {
      const page = unwrap(await listQrs({ client, query: { limit, offset } }));
      return { codes: page.data.map(({ code }) => code), total: page.total };
    },
    get: async (code) => {
      const { destination, last_scan } = unwrap(await getQr(at(code)));
      return { destination, last_scan };
    },
    edit: async (code, url) => unwrap(await updateQr({ ...at(code), body: { url } })),
    stats: async (code) => unwrap(await getQrStats(at(code))),
    png: async (code) => unwrap(await getQrPng(at(code))),
    svg: async (code) => unwrap(await getQrSvg(at(code))),
    createFromBrokenJson: async () =>
      unwrap(await createQr({ client, body: { url: '' }, bodySerializer: () => '{' })),
  };
});
