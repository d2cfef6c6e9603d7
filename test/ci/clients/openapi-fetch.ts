import createClient from 'openapi-fetch';
import type { paths } from './generated.ts';
import { runScenario, unwrap } from './scenario.ts';

await runScenario((key) => {
  const api = createClient<paths>({
    baseUrl: process.env['ORIGIN'] ?? '',
    headers: { Authorization: `Bearer ${key}` },
  });
  const at = (code: string) => ({ params: { path: { code } } });
  return {
    create: async (url) => unwrap(await api.POST('/api/v1/qrs', { body: { url } })),
    list: async (limit, offset) =>
      unwrap(await api.GET('/api/v1/qrs', { params: { query: { limit, offset } } })),
    get: async (code) => unwrap(await api.GET('/api/v1/qrs/{code}', at(code))),
    edit: async (code, url) =>
      unwrap(await api.PATCH('/api/v1/qrs/{code}', { ...at(code), body: { url } })),
    stats: async (code) => unwrap(await api.GET('/api/v1/qrs/{code}/stats', at(code))),
    png: async (code) =>
      unwrap(await api.GET('/api/v1/qrs/{code}.png', { ...at(code), parseAs: 'blob' })),
    svg: async (code) =>
      unwrap(await api.GET('/api/v1/qrs/{code}.svg', { ...at(code), parseAs: 'blob' })),
    createFromBrokenJson: async () =>
      unwrap(await api.POST('/api/v1/qrs', { body: { url: '' }, bodySerializer: () => '{' })),
  };
});
