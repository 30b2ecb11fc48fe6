/** Whether a caller is a browser that wants a page, where programs get something else (RFC 9110, 12.5.1). */

import { readPreferences } from './read-preferences.js';

/** Whether HTML is asked for by its name, and liked at least as much as any JSON. */
export function prefersPage(accept: string | undefined): boolean {
  const preferences = readPreferences(accept);
  const weightOfPage = preferences.get('text/html') ?? 0;
  if (weightOfPage === 0) return false;
  const isJson = (type: string) => type.startsWith('application/') && type.endsWith('json');
  return [...preferences].every(([type, weight]) => !isJson(type) || weight <= weightOfPage);
}
