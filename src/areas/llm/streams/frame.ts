/** Writes events as Server-Sent Events (WHATWG HTML, section 9.2), in usual and in odd forms. */

import type { ProviderEvent } from '../messages/provider.js';
import type { StreamName } from './cases.js';

export type Write = (event: ProviderEvent) => string;

const dataOf = ({ data }: ProviderEvent) =>
  typeof data === 'string' ? data : JSON.stringify(data);

const lineOf = ({ event }: ProviderEvent) => (event === undefined ? '' : `event: ${event}\n`);

const usual: Write = (event) => `${lineOf(event)}data: ${dataOf(event)}\n\n`;

const longLine = 1024 * 1024;

const withMember = (event: ProviderEvent, name: string, value: unknown): ProviderEvent =>
  typeof event.data === 'string' ? event : { ...event, data: { ...event.data, [name]: value } };

const odd: Partial<Record<StreamName, Write>> = {
  'split-crlf': (event) => usual(event).replaceAll('\n', '\r\n'),
  'cr-only': (event) => usual(event).replaceAll('\n', '\r'),
  'unknown-fields': (event) => usual(withMember(event, 'practice_unknown', { list: [1, null] })),
  'no-space': (event) => usual(event).replaceAll(/^(\w+): /gm, '$1:'),
  'multi-line-data': (event) => {
    const { data } = event;
    const text = typeof data === 'string' ? data : JSON.stringify(data, undefined, 2);
    return `${lineOf(event)}data: ${text.replaceAll('\n', '\ndata: ')}\n\n`;
  },
};

export const writerOf = (name: StreamName | undefined): Write =>
  (name === undefined ? undefined : odd[name]) ?? usual;

/** Writes an event with a line of 1 MiB. */
export const writeLong: Write = (event) =>
  usual(withMember(event, 'practice_padding', 'x'.repeat(longLine)));
