/** Writes events as Server-Sent Events (WHATWG HTML, section 9.2). */

import type { ProviderEvent } from '../messages/provider.js';

const lineOf = ({ event }: ProviderEvent) => (event === undefined ? '' : `event: ${event}\n`);

export function writeEvent(event: ProviderEvent): string {
  const { data } = event;
  return `${lineOf(event)}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** Writes the JSON of an event in many lines. */
export function writeLines(event: ProviderEvent): string {
  const { data } = event;
  const text = typeof data === 'string' ? data : JSON.stringify(data, undefined, 2);
  return `${lineOf(event)}data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
}

export const withMember = (event: ProviderEvent, name: string, value: unknown): ProviderEvent =>
  typeof event.data === 'string' ? event : { ...event, data: { ...event.data, [name]: value } };
