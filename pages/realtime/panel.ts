/** What the panels of the page have alike: fields, buttons, a state, and a place to say what went wrong. */

import { accountLink } from '../shared/account-link.js';
import { addressOf } from '../shared/address-of.js';
import { ApiError } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { placeOfVisitor } from './place.js';

const fault = byId('fault', HTMLParagraphElement);

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

/** Shows what went wrong, until the next thing is done. */
export async function attempt(act: () => void | Promise<void>): Promise<void> {
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    fault.replaceChildren(
      ...(error instanceof ApiError && error.status === 401
        ? accountLink(addressOf('/account'))
        : [(error as Error).message]),
    );
    fault.hidden = false;
  }
}

export function onSubmit(id: string, act: () => void | Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(act);
  });
}

/** Whatever a path names, the address is one of this service. */
export async function addressFor(path: string): Promise<URL> {
  if (!/^\/(?!\/)/.test(path))
    throw new Error('An address begins with a slash, such as /api/ws/echo.');
  return new URL((await placeOfVisitor()) + path);
}

/** The same for a socket. */
export async function socketAddressFor(path: string): Promise<URL> {
  const url = await addressFor(path);
  url.protocol = url.protocol.replace('http', 'ws');
  return url;
}
