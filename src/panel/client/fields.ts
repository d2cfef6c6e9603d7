import { one } from './dom.ts';

const editEvents = ['input', 'change'] as const;

function onEdit(field: HTMLElement, update: () => void): void {
  for (const type of editEvents) field.addEventListener(type, update);
  update();
}

/** Keeps a color picker and its text field in sync. An empty text shows the color that it follows. */
export function syncColorField(field: HTMLElement): void {
  const picker = one('input[type=color]', HTMLInputElement, field);
  const text = one('input[type=text]', HTMLInputElement, field);
  if (!picker || !text) return;
  const followedId = field.dataset['follows'];
  const followed = followedId ? document.getElementById(followedId) : null;
  const updatePicker = () => {
    const typed = text.value.trim() || (followed instanceof HTMLInputElement ? followed.value : '');
    const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(typed)?.[1];
    if (digits) picker.value = `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
  };
  picker.hidden = false;
  onEdit(text, updatePicker);
  if (followed) onEdit(followed, updatePicker);
  picker.addEventListener('input', () => {
    text.value = picker.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

/** Shows the value of a range input in its output element. */
export function showSliderValue(output: HTMLOutputElement): void {
  const slider = document.getElementById(output.htmlFor.value);
  if (!(slider instanceof HTMLInputElement)) return;
  onEdit(slider, () => {
    output.textContent = `${slider.value} ${output.dataset['unit'] ?? ''}`;
  });
}

/** Accepts files dropped on a file field. */
export function acceptDrops(zone: HTMLElement): void {
  const input = one('input[type=file]', HTMLInputElement, zone);
  if (!input) return;
  for (const type of ['dragenter', 'dragover'] as const)
    zone.addEventListener(type, (event) => {
      event.preventDefault();
      zone.classList.add('over');
    });
  for (const type of ['dragleave', 'drop'] as const)
    zone.addEventListener(type, () => zone.classList.remove('over'));
  zone.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files;
    if (!files || files.length === 0) return;
    input.files = files;
    for (const type of editEvents) input.dispatchEvent(new Event(type, { bubbles: true }));
  });
}
