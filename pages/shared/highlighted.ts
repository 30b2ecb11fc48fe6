/** Shows highlighted code. */

import { highlightCode } from '../../src/site/highlight-code.js';
import { element } from './element.js';

export function highlighted(...code: Parameters<typeof highlightCode>): (Node | string)[] {
  return highlightCode(...code).map(({ text, kind }) =>
    kind === undefined ? text : element('i', { class: kind }, text),
  );
}
