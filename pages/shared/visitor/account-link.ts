/** The message of a page if the service requires an account. */

import { element } from '../element.js';
import { storedServiceKey } from './service-key.js';

export function accountLink(address: string): Node[] {
  const [before, link] =
    storedServiceKey() === undefined
      ? ['This service requires an account, which is free. ', 'Create one, or enter its key']
      : [
          'The key in this browser is no longer valid. ',
          'Create another account, or enter its key',
        ];
  return [
    document.createTextNode(before ?? ''),
    element('a', { href: address }, link ?? ''),
    document.createTextNode(', then return here.'),
  ];
}
