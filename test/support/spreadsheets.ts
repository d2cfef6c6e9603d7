import { deflateRawSync } from 'node:zlib';
import { createZipWriter } from '../../src/lib/files/zip.ts';

/** A sheet: cells are texts, or the XML of a cell. */
export interface TestSheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

// Larger ones are compressed, so that a small file unpacks to a large one.
const maxStoredBytes = 200_000;

/** Creates a ZIP file. */
export function zip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const writer = createZipWriter();
  const compressed = new Map<string, number>();
  const pieces = Object.entries(files).map(([path, content]) => {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    if (bytes.length <= maxStoredBytes) return writer.add(path, bytes);
    compressed.set(path, bytes.length);
    return writer.add(path, deflateRawSync(bytes));
  });
  let file = Buffer.concat([...pieces, writer.end()]);
  for (const [path, size] of compressed) file = changeHeaders(file, path, { method: 8, size });
  return new Uint8Array(file);
}

/** Changes method and unpacked size in both headers of an entry of a ZIP file. */
export function changeHeaders(
  file: Buffer<ArrayBuffer>,
  path: string,
  { method, size }: { method?: number; size: number },
): Buffer<ArrayBuffer> {
  for (let at = file.indexOf(path); at !== -1; at = file.indexOf(path, at + 1))
    for (const [signature, name, methodAt, sizeAt] of [
      ['504b0304', 30, 8, 22],
      ['504b0102', 46, 10, 24],
    ] as const) {
      const header = at - name;
      if (header < 0 || file.toString('hex', header, header + 4) !== signature) continue;
      if (method !== undefined) file.writeUInt16LE(method, header + methodAt);
      file.writeUInt32LE(size, header + sizeAt);
    }
  return file;
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const relations = (links: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links}</Relationships>`;
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/**
 * Creates an `.xlsx` file. Texts are inline strings.
 *
 * @param parts more files, or others in place of those
 */
export function xlsx(
  sheets: readonly TestSheet[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(
      `<Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`,
    ),
    'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets>${sheets
      .map(({ name }, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="s${at}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      `${sheets
        .map(
          (_, at) =>
            `<Relationship Id="s${at}" Type="${office}/worksheet" Target="worksheets/sheet${at}.xml"/>`,
        )
        .join(
          '',
        )}<Relationship Id="t" Type="${office}/styles" Target="/xl/styles.xml"/><Relationship Id="u" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>`,
    ),
  };
  for (const [at, { rows }] of sheets.entries())
    files[`xl/worksheets/sheet${at}.xml`] = `<worksheet xmlns:r="${office}"><sheetData>${rows
      .map((cells) => `<row>${cells.map(xlsxCell).join('')}</row>`)
      .join('')}</sheetData></worksheet>`;
  return zip({ ...files, ...parts });
}

function xlsxCell(text: string): string {
  return text.startsWith('<c') ? text : `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
}

const namespaces =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Creates an `.ods` file. */
export function ods(
  sheets: readonly TestSheet[],
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const tables = sheets.map(
    ({ name, rows }) =>
      `<table:table table:name="${escaped(name)}">${rows
        .map((cells) => `<table:table-row>${cells.map(odsCell).join('')}</table:table-row>`)
        .join('')}</table:table>`,
  );
  return zip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': '<manifest:manifest xmlns:manifest="urn:oasis"/>',
    'content.xml': `<?xml version="1.0"?><office:document-content ${namespaces}><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    ...parts,
  });
}

function odsCell(text: string): string {
  return text.startsWith('<table:')
    ? text
    : `<table:table-cell><text:p>${escaped(text)}</text:p></table:table-cell>`;
}
