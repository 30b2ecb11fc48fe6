/** The URL of the server with the chosen options, and how clients are configured with it. */

import { copyFrom, offerCopy, showCopied } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { offerTabs } from '../shared/tabs.js';
import { type ClientSetup, setupsFor } from './clients.js';

const clientKey = 'practice-api-mcp-client';

const select = (id: string) => byId(id, HTMLSelectElement);
const isProtected = byId('protected', HTMLInputElement);
const url = offerCopy('url');
const copySetup = byId('copy-setup', HTMLButtonElement);

let place = '';

/** `base` is the URL of the sandbox. */
export function showUrl(base: string): void {
  place = base;
  render();
}

export function offerSetups(): void {
  for (const each of [isProtected, select('revision'), select('misbehave')]) {
    each.addEventListener('change', render);
  }
  copySetup.addEventListener('click', () => void copyFrom(copySetup, chosenSetup()?.text ?? ''));
}

const chosenClient = offerTabs({
  container: byId('clients', HTMLDivElement),
  name: 'client',
  tabs: setupsFor('', false),
  storedAs: clientKey,
  onChange: render,
});

function chosenSetup(): ClientSetup | undefined {
  return setupsFor(url.value, isProtected.checked).find(({ id }) => id === chosenClient());
}

function render(): void {
  if (place === '') return;
  const query = new URLSearchParams();
  for (const [id, name] of [
    ['revision', 'revisions'],
    ['misbehave', 'misbehave'],
  ] as const) {
    const { value } = select(id);
    if (value !== '') query.set(name, value);
  }
  const search = query.size === 0 ? '' : `?${query}`;
  showCopied('url', `${place}/mcp${isProtected.checked ? '/protected' : ''}${search}`);
  renderSetup();
  renderExpectation();
}

function renderSetup(): void {
  const setup = chosenSetup();
  if (setup === undefined) return;
  byId('setup-place', HTMLParagraphElement).textContent = setup.place;
  byId('setup', HTMLPreElement).textContent = setup.text;
  copySetup.disabled = false;
  const links =
    setup.link === undefined ? [] : [element('a', { href: setup.link }, `Add to ${setup.title}`)];
  byId('setup-link', HTMLSpanElement).replaceChildren(...links);
}

/** Says what a right client does with the chosen misbehaviour. */
function renderExpectation(): void {
  const [chosen] = select('misbehave').selectedOptions;
  const { what, right } = chosen?.dataset ?? {};
  const shown = byId('expectation', HTMLParagraphElement);
  shown.hidden = what === undefined;
  shown.replaceChildren(element('b', {}, what ?? ''), ` A right client: ${right ?? ''}`);
}
