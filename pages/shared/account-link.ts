/** What a page says when the service wants to know whose request it is. */

import { element } from './element.js';
import { storedServiceKey } from './service-key.js';

export function accountLink(address: string): Node[] {
  const [before, link] =
    storedServiceKey() === undefined
      ? ['This service asks for an account, which is free. ', 'Make one, or enter its key']
      : ['The key in this browser opens no account any more. ', 'Make another, or enter its key'];
  return [
    document.createTextNode(before ?? ''),
    element('a', { href: address }, link ?? ''),
    document.createTextNode(', then come back.'),
  ];
}
