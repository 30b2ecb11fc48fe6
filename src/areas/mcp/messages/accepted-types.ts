/** Media types that the header Accept must name, as the server and the judge read it. */

import { readPreferences, weightOf } from '#http/negotiation/read-preferences.js';

/** Whether a POST may get JSON and a stream; a missing Accept accepts all types (RFC 9110 12.5.1). */
export function acceptsBoth(accept: string | undefined): boolean {
  if (accept === undefined) return true;
  const preferences = readPreferences(accept);
  return ['application/json', 'text/event-stream'].every((type) => weightOf(preferences, type) > 0);
}

/** Whether a GET may get a stream: its Accept must list the type itself. */
export function acceptsEvents(accept: string | undefined): boolean {
  return (readPreferences(accept).get('text/event-stream') ?? 0) > 0;
}
