import { maxLogoBytes } from '../../core/designs/design.ts';
import { InvalidInput } from '../../core/errors.ts';
import { readEnds } from '../../lib/files/bounded-read.ts';
import { type FormFields, fieldsOf } from '../request/request.ts';
import { PanelError } from './errors.tsx';

// A logo as a file and a draft logo in base64.
const maxUploadBytes = 3 * 1024 * 1024;
// Fits a destination of 2,048 characters, percent-encoded. Parsing more would delay redirects.
const maxFieldsBytes = 64 * 1024;

// A longer upload, such as a video, is not read to its end.
const maxReadBytes = 64 * 1024 * 1024;

/**
 * Reads a form of limited size. Only account holders may upload files. A file that is too large is left out: reading
 * its field throws InvalidInput, and the other fields are there.
 *
 * @param routeBytes maximum of a form of an account; that of a logo, or of a form without files, when left out
 * @throws PanelError 413 when it is too large, 400 when it is incomplete or not a form
 */
export async function readBody(
  request: Request,
  isSignedIn: boolean,
  routeBytes: number | undefined,
): Promise<FormFields> {
  const type = request.headers.get('content-type') ?? '';
  const mayUpload = isSignedIn && /^multipart\/form-data\b/i.test(type);
  const headBytes =
    (isSignedIn ? routeBytes : undefined) ?? (mayUpload ? maxUploadBytes : maxFieldsBytes);
  const maxBytes = mayUpload ? maxReadBytes : headBytes;
  if (Number(request.headers.get('content-length')) > maxBytes) throw tooLarge(headBytes);
  const bounds = { headBytes, tailBytes: maxFieldsBytes, maxBytes };
  const body = await readEnds(request.body, bounds);
  if (body === 'too long') throw tooLarge(headBytes);
  if (body === 'broken off') throw invalidForm();
  const { head, tail } = body;
  const fields = await parse(tail === null ? head : withoutMiddle(head, tail, type), type);
  const cutFile = tail === null ? null : largestFile(fields);
  if (tail !== null && cutFile === null) throw tooLarge(headBytes);
  const entries = [...fields];
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return {
    ...fieldsOf(entries.filter(isText)),
    hasFile: entries.some(([, value]) => value instanceof File && value.size > 0),
    file: async (name) => {
      if (name === cutFile) throw new InvalidInput(tooLarge(headBytes).message);
      const value = fields.get(name);
      // An empty file has a name. A field without a file has none.
      return value instanceof File && (value.size > 0 || value.name) ? value.bytes() : null;
    },
  };
}

/** Joins the ends of a form where a field begins after the middle, which is part of a file (RFC 7578). */
function withoutMiddle(head: Uint8Array, tail: Uint8Array, type: string): Uint8Array<ArrayBuffer> {
  const [, boundary = ''] = /boundary="?([^";]+)/i.exec(type) ?? [];
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // A delimiter may begin in the head.
  const end = Buffer.concat([head.subarray(1 - delimiter.length), tail]);
  const next = end.indexOf(delimiter);
  return Buffer.concat([head, next === -1 ? end : end.subarray(next)]);
}

/** Returns the name of the largest file, or null when there is none. */
function largestFile(fields: FormData): string | null {
  const sizes = [...fields].map(([name, value]) => ({
    name,
    size: value instanceof File ? value.size : 0,
  }));
  const largest = sizes.toSorted((one, other) => other.size - one.size)[0];
  return largest !== undefined && largest.size > 0 ? largest.name : null;
}

async function parse(body: Uint8Array<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch {
    throw invalidForm();
  }
}

function invalidForm(): PanelError {
  return new PanelError(
    400,
    'The form could not be read',
    'Nothing was changed. Go back, reload the page and try again.',
  );
}

function tooLarge(maxBytes: number): PanelError {
  const texts: Readonly<Record<number, string>> = {
    [maxUploadBytes]: `A logo can be up to ${maxLogoBytes / 1_000_000} MB. Choose a smaller file.`,
    [maxFieldsBytes]: `Nothing was changed. A form can be up to ${maxFieldsBytes / 1024} KB.`,
  };
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return new PanelError(
    413,
    'The form is too large',
    texts[maxBytes] ?? `A file can be up to ${megabytes} MB. Split it into several.`,
  );
}
