/** Form of the bin's response. */

import { byId } from '../shared/element.js';
import { type Bin, binAddress } from './api.js';
import { callJsonInSandbox } from './sandbox.js';

const form = byId('reply-form', HTMLFormElement);
const status = byId('reply-status', HTMLInputElement);
const headers = byId('reply-headers', HTMLTextAreaElement);
const body = byId('reply-body', HTMLTextAreaElement);
const outcome = byId('reply-outcome', HTMLParagraphElement);

/** Shows a bin's response; `onSaved` gets the changed bin. */
export function showResponse({ response }: Bin): void {
  status.value = String(response?.status ?? 200);
  const given = response?.headers ?? [];
  headers.value = (Array.isArray(given) ? given : Object.entries(given))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
  body.value = response?.body ?? '';
  outcome.textContent = '';
  byId('reply-now', HTMLSpanElement).textContent =
    response === null ? '200, the usual response' : `${response.status}, your own response`;
}

export function listenToResponseForm(binId: () => string, onSaved: (bin: Bin) => void): void {
  async function save(response: unknown): Promise<void> {
    try {
      const bin = await callJsonInSandbox<Bin>(binAddress(binId()), 'PATCH', { response });
      onSaved(bin);
      outcome.textContent = response === null ? 'The usual response again.' : 'Saved.';
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

/**
 * Parses pairs, in which a name may repeat. Invalid headers are left to the service, which explains
 * the fault.
 */
function readHeaders(text: string): [name: string, value: string][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const colon = line.indexOf(':');
    return colon < 0
      ? [line.trim(), '']
      : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}
