import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Answer } from './api.ts';
import { fieldsOf } from './wire.ts';

/** What the document says of one status of one operation. */
interface Documented {
  /** JSON pointer of the response, for `$ref`. */
  readonly pointer: string;
  /** All that are documented, unless they say `required: false`. */
  readonly headers: readonly string[];
  readonly mediaTypes: readonly string[];
}

interface Operation {
  readonly responses: ReadonlyMap<number, Documented>;
}

type Json = Readonly<Record<string, unknown>>;

interface Document {
  readonly raw: Json;
  /** Full paths, the server's base address included, most literal first. */
  readonly paths: readonly Path[];
  validator(pointer: string): ValidateFunction;
}

interface Path {
  readonly template: string;
  readonly pattern: RegExp;
  readonly operations: ReadonlyMap<string, Operation>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];

// What a path or method that is not documented may answer: DESIGN, "order of checks" up to there.
const undocumented = [401, 402, 404, 405, 429];

// Bodies that are empty by definition (RFC 9110).
const bodiless = [204, 304];

// One program serves one document, so the first server's is read for all.
let document: Promise<Document> | null = null;

/** The document of the program, read once. */
export function readDocument(origin: string): Promise<Document> {
  document ??= loadDocument(origin);
  return document;
}

/**
 * Holds an answer against the document: the status is documented for that operation, the documented
 * headers are there, the body has a documented media type and fits its schema.
 */
export async function holdAgainstDocument(
  origin: string,
  method: string,
  pathname: string,
  answer: Answer,
): Promise<void> {
  const { paths, validator } = await readDocument(origin);
  const path = paths.find(({ pattern }) => pattern.test(pathname));
  const operation = path?.operations.get(method === 'HEAD' ? 'get' : method.toLowerCase());
  const where = `${method} ${pathname} → ${answer.status}`;
  if (operation === undefined) {
    if (undocumented.includes(answer.status)) return;
    throw new Error(`${where}: the document knows no such operation`);
  }

  const response = operation.responses.get(answer.status);
  if (response === undefined) throw new Error(`${where}: the document lists no such status`);
  for (const name of response.headers)
    if (!answer.headers.has(name))
      throw new Error(`${where}: the documented header ${name} is missing`);

  if (method === 'HEAD' || bodiless.includes(answer.status)) return;
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  if (!response.mediaTypes.includes(type))
    throw new Error(`${where}: the document lists no "${type}"`);
  if (type !== 'application/json') return;
  const validate = validator(`${response.pointer}/content/application~1json/schema`);
  if (!validate(answer.json))
    throw new Error(`${where}: ${JSON.stringify(validate.errors)}\n${answer.text}`);
}

async function loadDocument(origin: string): Promise<Document> {
  const raw = fieldsOf(await (await fetch(`${origin}/docs/json`, { keepalive: false })).json());
  // OpenAPI brings keywords that JSON Schema does not know, such as `example`: not strict.
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(raw, 'document');
  const compiled = new Map<string, ValidateFunction>();
  return {
    raw,
    paths: pathsOf(raw),
    validator: (pointer) => {
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
      compiled.set(pointer, validate);
      return validate;
    },
  };
}

function pathsOf(raw: Json): Path[] {
  const base = basePath(raw['servers']);
  return Object.keys(fieldsOf(raw['paths']))
    .map((path) => ({
      template: base + path,
      pattern: patternOf(base + path),
      operations: operationsOf(raw, path),
    }))
    .sort((a, b) => literalLength(b.template) - literalLength(a.template));
}

/** Paths are relative to the document's server, which may carry a path of its own. */
function basePath(servers: unknown): string {
  if (!Array.isArray(servers) || servers.length === 0) return '';
  const { url } = fieldsOf(servers[0]);
  if (typeof url !== 'string') return '';
  return new URL(url, 'http://127.0.0.1').pathname.replace(/\/$/, '');
}

function operationsOf(raw: Json, path: string): Map<string, Operation> {
  const item = fieldsOf(fieldsOf(raw['paths'])[path]);
  const operations = new Map<string, Operation>();
  for (const method of methods) {
    if (item[method] === undefined) continue;
    const responses = new Map<number, Documented>();
    for (const status of Object.keys(fieldsOf(fieldsOf(item[method])['responses'])))
      responses.set(
        Number(status),
        documented(raw, `/paths/${pointerPart(path)}/${method}/responses/${status}`),
      );
    operations.set(method, { responses });
  }
  return operations;
}

function documented(raw: Json, writtenAt: string): Documented {
  const { node, pointer } = follow(raw, writtenAt);
  const headers = Object.keys(fieldsOf(node['headers'] ?? {}));
  return {
    pointer,
    headers: headers.filter(
      (name) => follow(raw, `${pointer}/headers/${pointerPart(name)}`).node['required'] !== false,
    ),
    mediaTypes: Object.keys(fieldsOf(node['content'] ?? {})),
  };
}

/** The node at a JSON pointer, through any `$ref` that stands there. */
function follow(raw: Json, pointer: string): { node: Json; pointer: string } {
  let node = raw;
  for (const part of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    node = fieldsOf(node[name]);
  }
  const reference = node['$ref'];
  return typeof reference === 'string' ? follow(raw, reference.slice(1)) : { node, pointer };
}

/** One step of a JSON pointer as it stands in a URI fragment (RFC 6901, 6). */
function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? '[^/]+' : RegExp.escape(part)))
    .join('');
  return new RegExp(`^${source}$`);
}

function literalLength(template: string): number {
  return template.replace(/\{[^}]+\}/g, '').length;
}
