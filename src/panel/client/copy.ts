import { say } from './announce.ts';

const copiedForMs = 1600;

/** Makes a button copy the text that it carries, and say that it did. */
export function offerCopy(button: HTMLButtonElement): void {
  button.hidden = false;
  const name = button.textContent;
  button.addEventListener('click', async () => {
    const copied = await copy(button.dataset['copy'] ?? '', button);
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    say(button.textContent);
    setTimeout(() => {
      button.textContent = name;
      say('');
    }, copiedForMs);
  });
}

/** Copies text, also where the page is not on https and the modern way is closed. */
async function copy(text: string, from: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = from.parentElement?.querySelector('code');
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
