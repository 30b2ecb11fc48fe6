/** Writes streams in their form: server-sent events, JSON lines, or the items of a JSON array. */

import type { Reply } from '#http/exchange.js';
import { beginEvents } from '#http/sending/event-stream.js';
import type { ProviderEvent, StreamForm } from '../messages/provider.js';
import type { Kind } from './broken-stream.js';
import { writeEvent } from './write-event.js';

const types: Readonly<Record<StreamForm, string>> = {
  events: 'text/event-stream; charset=utf-8',
  lines: 'application/x-ndjson',
  array: 'application/json; charset=utf-8',
};

export function beginStream(reply: Reply, form: StreamForm): void {
  beginEvents(reply);
  if (form !== 'events') reply.header('content-type', types[form]);
}

/** A text, such as the end of an array, is written unchanged. */
export function writeIn(form: StreamForm, event: ProviderEvent, index: number): string {
  const { data } = event;
  if (form === 'events') return writeEvent(event);
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (form === 'lines') return `${text}\n`;
  return typeof data === 'string' ? data : `${index === 0 ? '[' : ',\r\n'}${text}`;
}

/** Between lines and between items, white space says nothing. */
export const writePing = (kind: Kind, form: StreamForm): string => {
  if (form !== 'events') return '\n';
  return kind === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n\n';
};
