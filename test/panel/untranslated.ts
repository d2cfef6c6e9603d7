/** Runs in a page in `en-XA`: returns the texts that people read or hear and that are not in the catalogue. */
export function untranslatedTexts(): string[] {
  // What people typed, and what is no language: each has the direction of its letters.
  const data = 'bdi, code, kbd, textarea, [dir="auto"], .target, .avatar, [lang]:not(html)';
  // Names that are the same in every language, names of time zones, and what the accounts of the states have.
  const names =
    /\b(?:Waymark|[A-Z]+\d*|WebP|TypeScript|Python|curl|Ctrl|Esc)\b|.*\(UTC[^)]*\)$|https?:\/\/\S*|\S+@\S+|\S*\.example\S*|\S*example\.(?:org|com)\S*|\S*(?:localhost|127\.0\.0\.\d)\S*|\b(?=\w*\d)[0-9a-z]{8}\b|(?:Table 7 )?w{4,}|Imported\/\S*|Menüs|Sommerfest|Long n+/g;
  const found = new Set<string>();
  /** What stands outside of the brackets around each sentence of the catalogue. */
  let depth = 0;
  const read = (text: string, isShown: boolean) => {
    let outside = '';
    for (const character of text) {
      if (character === '⟦') depth++;
      else if (character === '⟧') depth--;
      else if (depth === 0) outside += character;
    }
    const said = outside.replaceAll(/\s+/g, ' ').trim();
    if (isShown && /[a-z]/i.test(said.replaceAll(names, ''))) found.add(said);
  };
  read(document.title, true);
  depth = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || parent.closest(`script, style, template, ${data}`) !== null) continue;
    const shown = parent.closest('select') ?? parent;
    read(node.textContent ?? '', shown.checkVisibility());
  }
  depth = 0;
  for (const one of document.querySelectorAll('body *'))
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      if (one.closest(data) === null || name === 'placeholder')
        read(one.getAttribute(name) ?? '', one.checkVisibility());
  return [...found];
}

/** Runs in a page: returns the texts that do not fit into their boxes and are cut. Data may be. */
export function cutTexts(): string[] {
  const data = 'bdi, code, .target, [dir="auto"]';
  const found = new Set<string>();
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    // A box of one pixel is for screen readers.
    const isHidden = one.clientWidth <= 1 || one.matches('.hidden');
    if (!one.checkVisibility() || isHidden || one.matches('dialog, textarea')) continue;
    const { overflowX, font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(one);
    if (one instanceof HTMLSelectElement) {
      const text = one.selectedOptions[0]?.text ?? '';
      // On the narrowest phones it ends with an ellipsis, and its list has the whole.
      if (innerWidth < 390) continue;
      const context = document.createElement('canvas').getContext('2d');
      if (context === null || !text.startsWith('⟦')) continue;
      context.font = font;
      const room = one.clientWidth - parseFloat(paddingInlineStart) - parseFloat(paddingInlineEnd);
      if (context.measureText(text).width > room + 1) found.add(`select: ${text}`);
      continue;
    }
    const isCut = overflowX === 'hidden' || overflowX === 'clip';
    if (!isCut || one.scrollWidth <= one.clientWidth + 1 || one.closest(data) !== null) continue;
    const own = one.cloneNode(true);
    if (!(own instanceof HTMLElement)) continue;
    for (const part of own.querySelectorAll(`${data}, .hidden, input`)) part.remove();
    if (/\p{L}/u.test(own.textContent)) found.add(own.textContent.replaceAll(/\s+/g, ' ').trim());
  }
  return [...found];
}
