/** Opens operations in place, in the outline of their area. */

import { addressOf } from '../shared/address-of.js';
import { call } from '../shared/call.js';
import { element } from '../shared/element.js';
import { type Description, operationsOf } from './description.js';

interface LoadedArea {
  readonly description: Description;
  readonly view: typeof import('./operation-view.js');
}

const loaded = new Map<string, Promise<LoadedArea>>();

export function areaOf(name: string): HTMLDetailsElement | undefined {
  const areas = [...document.querySelectorAll<HTMLDetailsElement>('.area')];
  return areas.find(({ dataset }) => dataset.area === name);
}

/** Loads the description of an area. A failed load is repeated when it is opened again. */
export function openArea({ dataset: { area = '' } }: HTMLElement): Promise<LoadedArea> {
  const known = loaded.get(area);
  if (known !== undefined) return known;
  const loading = load(area);
  loaded.set(area, loading);
  loading.catch(() => loaded.delete(area));
  return loading;
}

async function load(area: string): Promise<LoadedArea> {
  const address = addressOf(`/openapi.json?tag=${encodeURIComponent(area)}`);
  const [response, view] = await Promise.all([call(address), import('./operation-view.js')]);
  return { description: (await response.json()) as Description, view };
}

export async function toggleOperation(link: HTMLAnchorElement): Promise<void> {
  const shown = link.parentElement?.querySelector('.operation');
  if (!shown) return openOperation(link);
  shown.remove();
  link.setAttribute('aria-expanded', 'false');
}

/** Shows the operation of a row below it. */
export async function openOperation(link: HTMLAnchorElement): Promise<void> {
  const row = link.parentElement;
  if (row === null || row.querySelector('.operation') !== null) return;
  const shown = element('div', { class: 'operation' });
  row.append(shown);
  link.setAttribute('aria-expanded', 'true');
  const [, area = '', id] = link.hash.split('/');
  try {
    const { description, view } = await openArea(element('i', { 'data-area': area }));
    const operation = operationsOf(description).find(({ operationId }) => operationId === id);
    if (operation !== undefined) view.showOperation(shown, description, operation);
  } catch (error) {
    const text = `The description could not be loaded, so you cannot send requests from here. ${String(error)}`;
    shown.replaceChildren(element('p', { role: 'status' }, text));
  }
}
