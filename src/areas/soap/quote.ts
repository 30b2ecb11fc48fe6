/** Shows something that a caller sent inside a message, however long it is. */

import { cutText } from '../../base/text/cut-text.js';

const maxShown = 60;

/** The beginning of a long text. */
export function cut(text: string): string {
  return cutText(text, maxShown);
}

/** In quotes and on one line. */
export function quote(text: string): string {
  return `'${cut(text).replace(/\s+/g, ' ')}'`;
}
