import { announce } from './dom.ts';

const feedbackMs = 1600;

/** Shows a copy button and copies its `data-copy` text to the clipboard on click. */
export function enableCopyButton(button: HTMLButtonElement): void {
  const label = button.textContent;
  button.addEventListener('click', async () => {
    const isCopied = await copy(button.dataset['copy'] ?? '', button);
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    announce(button.textContent);
    setTimeout(() => {
      button.textContent = label;
      announce('');
    }, feedbackMs);
  });
}

/** Copies a text. Browsers offer the Clipboard API over HTTPS only; without it, selects the text. */
async function copy(text: string, button: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const shown = button.parentElement?.querySelector('code');
    if (!shown) return false;
    getSelection()?.selectAllChildren(shown);
    return document.execCommand('copy');
  }
}
