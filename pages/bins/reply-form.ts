/** What senders get back: the bin's own answer, as a form. */

import { byId } from '../shared/element.js';
import { type Bin, binAddress, callJson } from './api.js';

const form = byId('reply-form', HTMLFormElement);
const status = byId('reply-status', HTMLInputElement);
const headers = byId('reply-headers', HTMLTextAreaElement);
const body = byId('reply-body', HTMLTextAreaElement);
const outcome = byId('reply-outcome', HTMLParagraphElement);

/** Shows a bin's answer; `onSaved` gets the bin as it is after a change. */
export function showReply({ response }: Bin): void {
  status.value = String(response?.status ?? 200);
  headers.value = Object.entries(response?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  body.value = response?.body ?? '';
  outcome.textContent = '';
}

export function listenToReplyForm(binId: () => string, onSaved: (bin: Bin) => void): void {
  async function save(response: unknown): Promise<void> {
    try {
      const bin = await callJson<Bin>(binAddress(binId()), 'PATCH', { response });
      onSaved(bin);
      outcome.textContent = response === null ? 'The usual answer again.' : 'Saved.';
    } catch (error) {
      outcome.textContent = (error as Error).message;
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    save({ status: Number(status.value), headers: readHeaders(headers.value), body: body.value });
  });
  byId('reply-reset', HTMLButtonElement).addEventListener('click', () => save(null));
}

/** What is no header is left for the service to refuse, in its words. */
function readHeaders(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon < 0
        ? [line.trim(), '']
        : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
