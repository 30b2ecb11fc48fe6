/** Lists with a heading, such as the messages of the teacher. */

import { element } from '../shared/element.js';
import type { Message } from './api.js';
import { clockTime } from './cells.js';

export function listOf(title: string, items: readonly HTMLElement[], empty: string): HTMLElement[] {
  const head = element('h2', {}, title);
  if (items.length === 0) return [head, element('p', { class: 'quiet' }, empty)];
  return [head, element('ul', {}, ...items)];
}

export function messagesOf(messages: readonly Message[]): HTMLElement[] {
  const items = messages
    .slice(-10)
    .reverse()
    .map(({ text, time }) =>
      element('li', {}, text, ' ', element('span', { class: 'quiet' }, clockTime(time))),
    );
  return listOf('Messages', items, 'No messages yet.');
}
