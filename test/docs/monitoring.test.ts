import { afterAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { isInstalled } from '../support/installed.ts';
import { startServer } from '../support/server.ts';
import { readPage } from './blocks.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const rulesFolder = join(import.meta.dir, '../../deploy/prometheus');
const dashboard: Dashboard = JSON.parse(await readPage('deploy/grafana/waymark.json'));
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alerts = await readPage('deploy/prometheus/alerts.yaml');

const server = await startServer();
afterAll(server.close);
// Some metrics exist only after these.
await server.cli(['safety', 'import', '-', '--source', 'a'], { stdin: 'bad.example\n' });
await server.cli(['backup', join(server.folder, 'backup.db')]);

/** The conditions of health on the page, with their severities. */
const documentedConditions = [
  ...(await readPage('docs/monitoring.md')).matchAll(/^\| `([a-z_]+)` +\| (problem|warning) /gm),
].map(([, condition = '', severity = '']) => ({ condition, severity }));

/** Returns the names of metrics in text: ours, and those that any process has. */
function metricsIn(text: string): string[] {
  const names = text.match(/\b(?:waymark|process)_[a-z_]+/g) ?? [];
  return [...new Set(names)].filter((name) => name !== 'waymark_instance').sort();
}

test('the dashboard, the alerts and the page name metrics that the server has', async () => {
  const page = await (await fetch(`${server.origin}/metrics`)).text();
  const present = new Set(
    [...page.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const missing = (text: string) => metricsIn(text).filter((name) => !present.has(name));
  expect(queries.length).toBeGreaterThan(20);
  expect(missing(queries.join('\n'))).toEqual([]);
  const rules = [...alerts.matchAll(/^ +expr: (.*)$/gm)].map(([, expr = '']) => expr);
  expect(rules.length).toBeGreaterThan(10);
  expect(missing(rules.join('\n'))).toEqual([]);
  const documented = metricsIn(await readPage('docs/monitoring.md'));
  const own = [...present].filter(
    (name) => /^waymark_/.test(name) && page.includes(`TYPE ${name} `),
  );
  expect(own.filter((name) => !documented.includes(name))).toEqual([]);
});

test('the page has each condition of the server', async () => {
  const page = await (await fetch(`${server.origin}/metrics`)).text();
  const present = [
    ...page.matchAll(/^waymark_health\{condition="([a-z_]+)",severity="([a-z]+)"\}/gm),
  ].map(([, condition = '', severity = '']) => ({ condition, severity }));
  expect(present.length).toBeGreaterThan(10);
  expect(documentedConditions).toEqual(expect.arrayContaining(present));
});

describe.skipIf(!isInstalled('promtool'))('Prometheus', () => {
  function promtool(...args: string[]) {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['promtool', ...args], { cwd: rulesFolder });
    return { exitCode, output: `${stdout}${stderr}` };
  }

  test('accepts the alerts', () => {
    expect(promtool('check', 'rules', 'alerts.yaml')).toMatchObject({ exitCode: 0 });
  });

  test('raises them when they should, and only then', () => {
    const { exitCode, output } = promtool('test', 'rules', 'alerts.test.yaml');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('raises an alert for each condition', async () => {
    const tests = documentedConditions.map(({ condition, severity }) => {
      const isProblem = severity === 'problem';
      const description = isProblem
        ? '/healthz answers 503 and says what is wrong and what to do.'
        : '/healthz lists the warning and what to do. Every promise is still kept.';
      const labels = `condition="${condition}",severity="${severity}",instance="a"`;
      return {
        name: condition,
        interval: '1m',
        input_series: [{ series: `waymark_health{${labels}}`, values: '1x90' }],
        alert_rule_test: [
          {
            eval_time: isProblem ? '2m' : '61m',
            alertname: isProblem ? 'WaymarkUnhealthy' : 'WaymarkWarning',
            exp_alerts: [
              {
                exp_labels: { severity: isProblem ? 'page' : 'ticket', instance: 'a', condition },
                exp_annotations: { summary: `Waymark on a: ${condition}`, description },
              },
            ],
          },
        ],
      };
    });
    const file = join(server.folder, 'conditions.yaml');
    const rules = { rule_files: [join(rulesFolder, 'alerts.yaml')], evaluation_interval: '1m' };
    await Bun.write(file, JSON.stringify({ ...rules, tests }));
    const { exitCode, output } = promtool('test', 'rules', file);
    expect([exitCode, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('accepts the queries of the dashboard', async () => {
    const rules = queries.map((query, index) => ({
      record: `query_${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    const file = join(server.folder, 'dashboard.yaml');
    await Bun.write(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    expect(promtool('check', 'rules', file)).toMatchObject({ exitCode: 0 });
  });
});
