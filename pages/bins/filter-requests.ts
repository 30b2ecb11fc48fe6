/** Filters the captured requests by method and by words. */

import { byId, element } from '../shared/element.js';
import type { CapturedRequest } from './api.js';

const search = byId('search', HTMLInputElement);
const method = byId('method', HTMLSelectElement);

/** Calls `act` when the filter changes. */
export function onFilterChange(act: () => void): void {
  search.addEventListener('input', act);
  method.addEventListener('change', act);
}

export function clearFilter(): void {
  search.value = '';
  method.value = '';
}

export function isInSight(request: CapturedRequest): boolean {
  if (method.value !== '' && request.method !== method.value) return false;
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = textOf(request);
  return words.every((word) => text.includes(word));
}

/** Returns the searched text: the path, the headers, and a body that is text. */
function textOf({ method, path, queryString, headers, body, bodyEncoding, ip }: CapturedRequest) {
  const fields = headers.map(({ name, value }) => `${name}: ${value}`);
  const parts = [method, path, queryString, ip, ...fields];
  return [...parts, bodyEncoding === 'utf-8' ? (body ?? '') : ''].join('\n').toLowerCase();
}

/** Lists the methods of the requests, and keeps the chosen one. */
export function offerMethods(requests: readonly CapturedRequest[]): void {
  const methods = [...new Set(requests.map((request) => request.method))].sort();
  const offered = [...method.options].slice(1).map(({ value }) => value);
  if (methods.join() === offered.join()) return;
  const chosen = methods.includes(method.value) ? method.value : '';
  const options = methods.map((name) => element('option', { value: name }, name));
  method.replaceChildren(element('option', { value: '' }, 'All methods'), ...options);
  method.value = chosen;
}
