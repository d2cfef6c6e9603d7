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
import { runScenario, unwrap } from './scenario.ts';

await runScenario((key) => {
  const client = createClient(createConfig({ baseUrl: process.env['ORIGIN'] ?? '', auth: key }));
  const at = (code: string) => ({ client, path: { code } });
  return {
    create: async (url) => unwrap(await createQr({ client, body: { url } })),
    list: async (limit, offset) => unwrap(await listQrs({ client, query: { limit, offset } })),
    get: async (code) => unwrap(await getQr(at(code))),
    edit: async (code, url) => unwrap(await updateQr({ ...at(code), body: { url } })),
    stats: async (code) => unwrap(await getQrStats(at(code))),
    png: async (code) => unwrap(await getQrPng(at(code))),
    svg: async (code) => unwrap(await getQrSvg(at(code))),
    createFromBrokenJson: async () =>
      unwrap(await createQr({ client, body: { url: '' }, bodySerializer: () => '{' })),
  };
});
