/** Tabs as radio buttons; the browser stores the chosen one. */

import { element } from './element.js';
import { readStored, store } from './stored-text.js';

interface Tabs {
  readonly container: HTMLElement;
  /** Name of the radio buttons. */
  readonly name: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly storedAs: string;
  readonly onChange: () => void;
}

/** Returns a function that returns the id of the chosen tab. */
export function offerTabs({ container, name, tabs, storedAs, onChange }: Tabs): () => string {
  const stored = readStored(storedAs);
  const first = tabs.find(({ id }) => id === stored) ?? tabs[0];
  container.append(
    ...tabs.flatMap((tab) => [
      element('input', {
        ...{ type: 'radio', name, id: `for-${tab.id}`, value: tab.id },
        checked: tab === first,
      }),
      element('label', { for: `for-${tab.id}` }, tab.title),
    ]),
  );
  const chosen = () =>
    container.querySelector<HTMLInputElement>('input:checked')?.value ?? first?.id ?? '';
  container.addEventListener('change', () => {
    store(storedAs, chosen());
    onChange();
  });
  return chosen;
}
