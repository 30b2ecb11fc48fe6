/** A button that copies text and confirms it. */

import { button, byId } from './element.js';

const sayForMs = 2000;

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const made = button(label, () => void copyFrom(made, text()));
  return made;
}

/** The button `copy-{id}` copies a field, whose text is selected when it has the focus. */
export function offerCopy(id: string): HTMLTextAreaElement {
  const field = byId(id, HTMLTextAreaElement);
  const made = byId(`copy-${id}`, HTMLButtonElement);
  made.addEventListener('click', () => void copyFrom(made, field.value));
  field.addEventListener('focus', () => field.select());
  return field;
}

/** Shows the text of such a field, which can then be copied. */
export function showCopied(id: string, text: string): void {
  byId(id, HTMLTextAreaElement).value = text;
  byId(`copy-${id}`, HTMLButtonElement).disabled = false;
}

/** Copies text, and shows a confirmation on the button for a while. */
export async function copyFrom(from: HTMLButtonElement, text: string): Promise<void> {
  // During the confirmation, the button's text is not its label.
  const label = from.getAttribute('data-label') ?? from.textContent ?? '';
  from.setAttribute('data-label', label);
  const hasCopied = await copy(text);
  from.textContent = hasCopied ? 'Copied' : 'Not allowed';
  setTimeout(() => {
    from.textContent = label;
  }, sayForMs);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages over plain HTTP from another machine have no clipboard API.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'unseen';
  document.body.append(area);
  area.select();
  const hasCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return hasCopied;
}
