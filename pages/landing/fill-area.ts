/** Fills an area: its endpoints, and its examples for each client, to copy and to send. */

import { copyButton } from '../shared/copy-button.js';
import { endpointsOf } from './endpoints.js';
import { fillExample } from './fill-example.js';

export function fillArea(area: HTMLElement): void {
  for (const example of area.querySelectorAll<HTMLElement>('.example')) fillExample(example);
  for (const value of area.querySelectorAll<HTMLElement>('.credentials dd')) addCopy(value);
  void fillEndpoints(area);
}

async function fillEndpoints(area: HTMLElement): Promise<void> {
  const halves = area.querySelector('.halves');
  const { id = '' } = area.querySelector('section') ?? {};
  if (halves === null) return;
  const list = await endpointsOf(id);
  if (area.querySelector('.endpoints') === null) halves.append(list);
}

function addCopy(value: HTMLElement): void {
  const text = value.textContent ?? '';
  const of = value.closest('li')?.querySelector('h4')?.textContent;
  const made = copyButton('Copy', () => text);
  made.className = 'copy small';
  made.setAttribute('aria-label', `Copy: ${of}, ${value.previousElementSibling?.textContent}`);
  value.append(made);
}
