import { all, create, one } from '../dom.ts';

/** Makes combo boxes of the fields in `.combo`, also in dialogs: their suggestions are in a datalist. */
export function enableCombos(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.list || !target.closest('.combo')) return;
    enableCombo(target, target.list);
  });
}

interface Option {
  readonly value: string;
  /** How many codes it has. */
  readonly much: string;
}

/**
 * Implements the ARIA pattern of an editable combo box with list autocomplete.
 * Enter takes only what is marked.
 */
function enableCombo(field: HTMLInputElement, datalist: HTMLElement): void {
  const options = all('option', HTMLOptionElement, datalist).map(
    ({ value, textContent }): Option => ({ value, much: textContent }),
  );
  const list = create('ul', { className: 'options', id: `${field.id}-options`, hidden: true });
  list.role = 'listbox';
  list.ariaLabel = 'Folders';
  field.removeAttribute('list');
  field.after(list);
  field.role = 'combobox';
  field.ariaAutoComplete = 'list';
  field.ariaExpanded = 'false';
  field.setAttribute('aria-controls', list.id);
  const status = field.parentElement
    ? one('[role=status]', HTMLElement, field.parentElement)
    : null;
  let marked = -1;

  const items = () => all('[role=option]', HTMLElement, list);
  const typed = () => field.value.trim();
  const isSame = (value: string) => value.toLowerCase() === typed().toLowerCase();
  const mark = (index: number) => {
    marked = index;
    for (const [at, item] of items().entries()) item.ariaSelected = String(at === index);
    const item = items()[index];
    item?.scrollIntoView({ block: 'nearest' });
    if (item) field.setAttribute('aria-activedescendant', item.id);
    else field.removeAttribute('aria-activedescendant');
  };
  const close = () => {
    list.hidden = true;
    field.ariaExpanded = 'false';
    mark(-1);
  };
  const createItem = (index: number, value: string, text: string, much: string) => {
    const item = create('li', { id: `${list.id}-${index}`, dir: 'auto', textContent: text });
    item.role = 'option';
    item.dataset['value'] = value;
    item.append(create('span', { className: 'much', textContent: much }));
    return item;
  };
  const open = () => {
    const matching = options.filter(({ value }) =>
      value.toLowerCase().includes(typed().toLowerCase()),
    );
    const drawn = matching.map(({ value, much }, index) => createItem(index, value, value, much));
    if (typed() !== '' && !options.some(({ value }) => isSame(value))) {
      const item = createItem(drawn.length, typed(), `New folder “${typed()}”`, '');
      item.classList.add('new');
      drawn.push(item);
    }
    list.replaceChildren(...drawn);
    list.hidden = drawn.length === 0;
    field.ariaExpanded = String(!list.hidden);
    mark(-1);
  };
  const take = (item: HTMLElement | undefined) => {
    field.value = item?.dataset['value'] ?? field.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    close();
    tellNew();
  };
  const tellNew = () => {
    const isNew = typed() !== '' && !options.some(({ value }) => isSame(value));
    const text = isNew ? `“${typed()}” is a new folder.` : '';
    if (status && status.textContent !== text) status.textContent = text;
  };

  field.addEventListener('input', open);
  field.addEventListener('click', () => (list.hidden ? open() : close()));
  field.addEventListener('blur', () => {
    // Another spelling of a folder would be a second one.
    const [known] = options.filter(({ value }) => isSame(value));
    if (known && !options.some(({ value }) => value === typed())) field.value = known.value;
    close();
    tellNew();
  });
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const count = items().length;
    if (step !== undefined) {
      if (list.hidden) open();
      const next = marked + step;
      mark(next < -1 ? count - 1 : next >= count ? -1 : next);
    } else if (event.key === 'Enter' && !list.hidden && marked >= 0) take(items()[marked]);
    else if (event.key === 'Escape' && !list.hidden) close();
    else return;
    event.preventDefault();
  });
  // The field keeps the focus.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const item = target instanceof Element ? target.closest('[role=option]') : null;
    if (item instanceof HTMLElement) take(item);
  });
}
