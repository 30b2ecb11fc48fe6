/** Fields, buttons and states of the panels. */

import { attempt } from '../shared/attempt.js';
import { byId } from '../shared/element.js';
import { placeOfVisitor } from '../shared/visitor/place-of-visitor.js';

export const field = (id: string) => byId(id, HTMLInputElement);
export const area = (id: string) => byId(id, HTMLTextAreaElement);
export const button = (id: string) => byId(id, HTMLButtonElement);

type ConnectionState = 'open' | 'waiting' | 'failed' | 'none';

export function stateIn(id: string) {
  const shown = byId(id, HTMLParagraphElement);
  return (state: ConnectionState, text: string): void => {
    shown.dataset.state = state;
    shown.textContent = text;
  };
}

export function onSubmit(id: string, act: () => void | Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(act);
  });
}

/** Returns a URL of this service, for any path. */
export async function addressFor(path: string): Promise<URL> {
  if (!/^\/(?!\/)/.test(path)) throw new Error('Begin with a slash, such as /api/ws/echo.');
  return new URL((await placeOfVisitor()) + path);
}

/** Returns the URL of a socket. */
export async function socketAddressFor(path: string): Promise<URL> {
  const url = await addressFor(path);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}
