/** A field of a form, as a browser would show and send it. */
export interface PageField {
  readonly name: string;
  /** Type of an input, or the name of another element. */
  readonly type: string;
  readonly id: string;
  value: string;
  readonly isChecked: boolean;
  /** Values of a select, the selected one in `value`. */
  readonly options: string[];
  readonly isInvalid: boolean;
  readonly isFocused: boolean;
  /** Texts of the elements that describe it. */
  readonly descriptions: string[];
}

export interface PageForm {
  readonly id: string;
  readonly method: string;
  readonly action: string;
  readonly fields: PageField[];
  /** Names and values of its buttons, without those that have none. */
  readonly buttons: [name: string, value: string][];
}

/** What a page consists of. */
export interface ParsedPage {
  readonly forms: PageForm[];
  /** Addresses of its links. */
  readonly links: string[];
}

/** Parses a page of the panel. */
export function parsePage(html: string): ParsedPage {
  const forms: PageForm[] = [];
  const links: string[] = [];
  const texts = new Map<string, string>();
  const fields: { field: PageField; formId: string | null; describedBy: string[] }[] = [];
  let current: PageForm | null = null;
  let last: PageField | null = null;
  let described: string | null = null;

  const add = (element: HTMLRewriterTypes.Element, type: string): PageField => {
    const field: PageField = {
      name: attribute(element, 'name') ?? '',
      type,
      id: attribute(element, 'id') ?? '',
      value: attribute(element, 'value') ?? (type === 'checkbox' ? 'on' : ''),
      isChecked: element.hasAttribute('checked'),
      options: [],
      isInvalid: attribute(element, 'aria-invalid') === 'true',
      isFocused: element.hasAttribute('autofocus'),
      descriptions: [],
    };
    const describedBy = (attribute(element, 'aria-describedby') ?? '').split(' ').filter(Boolean);
    fields.push({ field, formId: attribute(element, 'form'), describedBy });
    if (!element.hasAttribute('form')) current?.fields.push(field);
    return field;
  };

  new HTMLRewriter()
    .on('form', {
      element(element) {
        current = {
          id: attribute(element, 'id') ?? '',
          method: attribute(element, 'method') ?? 'get',
          action: attribute(element, 'action') ?? '',
          fields: [],
          buttons: [],
        };
        forms.push(current);
        element.onEndTag(() => {
          current = null;
        });
      },
    })
    .on('a[href]', {
      element(element) {
        links.push(attribute(element, 'href') ?? '');
      },
    })
    .on('p[id]', {
      element(element) {
        described = attribute(element, 'id');
        element.onEndTag(() => {
          described = null;
        });
      },
      text({ text }) {
        if (described !== null) texts.set(described, (texts.get(described) ?? '') + text);
      },
    })
    .on('input, textarea, select', {
      element(element) {
        const isHidden = element.hasAttribute('hidden');
        const inputType = isHidden ? 'hidden' : (attribute(element, 'type') ?? 'text');
        last = add(element, element.tagName === 'input' ? inputType : element.tagName);
      },
      text({ text }) {
        if (last?.type === 'textarea') last.value += decode(text);
      },
    })
    .on('select option', {
      element(element) {
        const value = attribute(element, 'value') ?? '';
        if (last === null) return;
        if (element.hasAttribute('selected') || last.options.length === 0) last.value = value;
        last.options.push(value);
      },
    })
    .on('button[name]', {
      element(element) {
        const name = attribute(element, 'name') ?? '';
        current?.buttons.push([name, attribute(element, 'value') ?? '']);
      },
    })
    .transform(html);

  for (const { field, formId, describedBy } of fields) {
    // Browsers leave out the line break after the start tag.
    if (field.type === 'textarea') field.value = field.value.replace(/^\r?\n/, '');
    field.descriptions.push(...describedBy.map((id) => decode(texts.get(id) ?? '')));
    if (formId !== null) forms.find(({ id }) => id === formId)?.fields.push(field);
  }
  return { forms, links };
}

/** Returns the fields of a form that a browser sends, files left out. */
export function sentFields(form: PageForm | undefined): Record<string, string> {
  const sent = (form?.fields ?? []).filter(
    ({ name, type, isChecked }) =>
      name !== '' && type !== 'file' && (isChecked || !['checkbox', 'radio'].includes(type)),
  );
  return Object.fromEntries(sent.map(({ name, value }) => [name, value]));
}

/** Returns the text of a page's main content, as it is read. */
export function textOf(html: string): string {
  const [, main = html] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  return decode(main.replaceAll(/<[^>]*>/g, ''));
}

/** Returns the main heading of a page. */
export function headingOf(html: string): string {
  return textOf(/<h1>(.*?)<\/h1>/s.exec(html)?.[1] ?? '');
}

/** Returns the first field of a name. */
export function fieldOf(html: string, name: string): PageField | undefined {
  return parsePage(html)
    .forms.flatMap(({ fields }) => fields)
    .find((field) => field.name === name);
}

/** Returns the fields that are marked as wrong. */
export function invalidFields(html: string): PageField[] {
  return parsePage(html).forms.flatMap(({ fields }) => fields.filter(({ isInvalid }) => isInvalid));
}

/** Returns where the first link with a text leads. */
export function linkOf(html: string, text: string): string | undefined {
  const links = html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs);
  const found = [...links].find(([, , content = '']) => textOf(content) === text);
  return found && decode(found[1] ?? '');
}

function attribute(element: HTMLRewriterTypes.Element, name: string): string | null {
  const value = element.getAttribute(name);
  return value === null ? null : decode(value);
}

/** Replaces the entities that the panel writes. */
export function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

/** Returns the addresses of the images of a page, in their order. */
export function imagesOf(html: string): string[] {
  return [...html.matchAll(/<img [^>]*?src="([^"]*)"/g)].map(([, source = '']) => source);
}

/** Returns the value of the first hidden field of a name, also outside of its form. */
export function hiddenValue(html: string, name: string): string | undefined {
  return new RegExp(`<input type="hidden"[^>]* name="${name}" value="([^"]*)"`).exec(html)?.[1];
}
