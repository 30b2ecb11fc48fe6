/** Shows what the search finds in place of the areas, while its input has a text. */

import { moveByArrows, resultsIn } from '../search/results.js';
import { byId } from '../shared/element.js';

export function findAsTyped(input: HTMLInputElement): void {
  const list = byId('filter-found', HTMLOListElement);
  const outcome = byId('filter-outcome', HTMLParagraphElement);
  const map = input.closest<HTMLElement>('.map');
  const show = resultsIn({ input, outcome, list });
  const run = () => {
    const isEmpty = input.value.trim() === '';
    map?.classList.toggle('is-searched', !isEmpty);
    // The results must not begin below the window.
    const { top = 0 } = map?.getBoundingClientRect() ?? {};
    if (!isEmpty && top > innerHeight / 4) map?.scrollIntoView();
    void show();
  };
  input.addEventListener('input', run);
  map?.addEventListener('keydown', (event) => moveByArrows(event, input, list));
  if (input.value !== '') run();
}
