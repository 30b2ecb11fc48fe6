/** Entries of the two lists of the page: bins and captured requests. */

import { element } from '../shared/element.js';
import type { Bin, CapturedRequest } from './api.js';
import { formatBytes } from './request/body-forms.js';
import { methodBadge, targetOf } from './request/request-view.js';

export function titleOf({ name, id }: Bin): string {
  return name || `${id.slice(0, 8)}…`;
}

export function binItem(bin: Bin, count: number, isOpen: boolean): HTMLLIElement {
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#${bin.id}`, 'aria-current': isOpen && 'page' },
      element('span', { class: 'bin-name' }, titleOf(bin)),
      element(
        'span',
        { class: 'quiet' },
        String(count),
        element('span', { class: 'unseen' }, ' requests'),
      ),
    ),
  );
}

export function requestItem(binId: string, request: CapturedRequest): HTMLLIElement {
  const { id, method, subPath, queryString, receivedAt, bodySize, signature } = request;
  const time = new Date(receivedAt).toLocaleTimeString();
  const mark = signature && (signature.verified ? '✓ signed' : '✗ signature');
  const facts = [time, formatBytes(bodySize), ...(mark ? [mark] : [])];
  return element(
    'li',
    { 'data-id': id },
    element(
      'a',
      { href: `#${binId}/${id}` },
      methodBadge(method),
      element('span', { class: 'target code' }, targetOf(subPath, queryString)),
      element('span', { class: 'quiet facts' }, facts.join(' · ')),
    ),
  );
}
