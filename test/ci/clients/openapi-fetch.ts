import createClient from 'openapi-fetch';
import type { components, paths } from './generated.ts';
import { Rejected, runScenario } from './scenario.ts';

type ErrorRecord = components['schemas']['ErrorRecord'];

function unwrap<T>({
  data,
  error,
  response,
}: {
  data?: T;
  error?: ErrorRecord;
  response: Response;
}): T {
  if (data !== undefined) return data;
  throw new Rejected(response.status, error?.error.code ?? '');
}

await runScenario((key) => {
  const api = createClient<paths>({
    baseUrl: process.env['ORIGIN'] ?? '',
    headers: { Authorization: `Bearer ${key}` },
  });
  const at = (code: string) => ({ params: { path: { code } } });
  return {
    create: async (url) => unwrap(await api.POST('/api/v1/qrs', { body: { url } })),
    list: async (limit, offset) => {
      const page = unwrap(await api.GET('/api/v1/qrs', { params: { query: { limit, offset } } }));
      return { codes: page.data.map(({ code }) => code), total: page.total };
    },
    get: async (code) => {
      const { destination, last_scan } = unwrap(await api.GET('/api/v1/qrs/{code}', at(code)));
      return { destination, last_scan };
    },
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
