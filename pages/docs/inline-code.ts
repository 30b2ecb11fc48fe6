/** Descriptions are plain text with code between backticks. */

import { element } from '../shared/element.js';

export function withCode(text: string): (Node | string)[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? element('code', {}, part) : part));
}
