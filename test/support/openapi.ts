import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Answer } from './api.ts';
import { fieldsOf } from './wire.ts';

type Json = Readonly<Record<string, unknown>>;

/** The documented responses of an operation, by status. */
type Responses = ReadonlyMap<number, DocumentedResponse>;

interface DocumentedResponse {
  /** Whether each header is always sent, by its name in lower case. */
  readonly headers: ReadonlyMap<string, boolean>;
  readonly content: Json;
}

interface Document {
  readonly raw: Json;
  /** Longer literal parts first. */
  readonly paths: readonly Path[];
  validate(schema: Json, value: unknown): string | null;
}

interface Path {
  readonly template: string;
  readonly pattern: RegExp;
  /** By method in lower case. */
  readonly operations: ReadonlyMap<string, { readonly responses: Responses }>;
}

// What an unknown path or method may respond (DESIGN, "order of checks").
const undocumentedStatuses = [401, 402, 404, 405, 429];

// Those of HTTP itself, and those for browsers, which every response of the server has.
const generalHeaders =
  /^(?:connection|content-(?:length|type|security-policy)|cross-origin-.*|date|keep-alive|permissions-policy|referrer-policy|strict-transport-security|transfer-encoding|x-content-type-options)$/;

// Responses without a body (RFC 9110).
const bodilessStatuses = [204, 304];

let document: Promise<Document> | null = null;

/** Reads the OpenAPI document, once for all servers of the process. */
export function readDocument(origin: string): Promise<Document> {
  document ??= loadDocument(origin);
  return document;
}

/**
 * Checks a response against the OpenAPI document: its status is documented, all required headers are present and all
 * headers documented, and its body has a documented media type and matches the schema.
 */
export async function holdAgainstDocument(
  origin: string,
  method: string,
  pathname: string,
  answer: Answer,
): Promise<void> {
  const { paths, validate } = await readDocument(origin);
  const path = paths.find(({ pattern }) => pattern.test(pathname));
  const operation = path?.operations.get(method === 'HEAD' ? 'get' : method.toLowerCase());
  const fail = (problem: string) => {
    throw new Error(`${method} ${pathname} → ${answer.status}: ${problem}\n${answer.text}`);
  };
  if (operation === undefined) {
    if (!undocumentedStatuses.includes(answer.status)) fail('the operation is not documented');
    return;
  }
  const response = operation.responses.get(answer.status);
  if (response === undefined) return fail('the status is not documented');
  for (const [name, isRequired] of response.headers)
    if (isRequired && !answer.headers.has(name)) fail(`the documented header ${name} is missing`);
  for (const name of answer.headers.keys())
    if (!response.headers.has(name) && !generalHeaders.test(name))
      fail(`the header ${name} is not documented`);

  if (method === 'HEAD' || bodilessStatuses.includes(answer.status)) return;
  const type = answer.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  const content = response.content[type];
  if (content === undefined) return fail(`the media type "${type}" is not documented`);
  if (type !== 'application/json') return;
  const problem = validate(fieldsOf(fieldsOf(content)['schema']), answer.json);
  if (problem !== null) fail(problem);
}

async function loadDocument(origin: string): Promise<Document> {
  const raw = fieldsOf(await (await fetch(`${origin}/docs/json`, { keepalive: false })).json());
  // OpenAPI has keywords that JSON Schema does not know, such as `example`.
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(raw, 'document');
  const validators = new Map<string, ValidateFunction>();
  return {
    raw,
    paths: pathsOf(raw),
    validate: (schema, value) => {
      const reference = String(schema['$ref']);
      const validator = validators.get(reference) ?? ajv.compile({ $ref: `document${reference}` });
      validators.set(reference, validator);
      return validator(value) ? null : JSON.stringify(validator.errors);
    },
  };
}

function pathsOf(raw: Json): Path[] {
  const paths = Object.entries(fieldsOf(raw['paths'])).map(([template, item]) => ({
    template,
    pattern: patternOf(template),
    operations: new Map(
      Object.entries(fieldsOf(item)).map(([method, operation]) => [
        method,
        { responses: responsesOf(raw, fieldsOf(operation)) },
      ]),
    ),
  }));
  return paths.sort((a, b) => literalLength(b.template) - literalLength(a.template));
}

/** Returns what a reference of the document points to, or a value that is no reference. */
function resolved(raw: Json, value: unknown): Json {
  const { $ref } = fieldsOf(value);
  if ($ref === undefined) return fieldsOf(value);
  return String($ref)
    .slice(2)
    .split('/')
    .reduce((part, name) => fieldsOf(part[name]), raw);
}

function responsesOf(raw: Json, operation: Json): Responses {
  return new Map(
    Object.entries(fieldsOf(operation['responses'])).map(([status, response]) => {
      const { headers = {}, content = {} } = resolved(raw, response);
      const isRequired = Object.entries(fieldsOf(headers)).map(
        ([name, header]) =>
          [name.toLowerCase(), resolved(raw, header)['required'] === true] as const,
      );
      return [Number(status), { headers: new Map(isRequired), content: fieldsOf(content) }];
    }),
  );
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
