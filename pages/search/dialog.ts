/** The dialog of the search, which is created on first use. */

import { element } from '../shared/element.js';
import './dialog.css';
import { moveByArrows, resultsIn } from './results.js';

const input = element('input', {
  type: 'search',
  id: 'search-text',
  'aria-label': 'Search guides, endpoints, settings and messages',
  placeholder: 'A word, a path, or what a message says',
  autocomplete: 'off',
  spellcheck: 'false',
});
const outcome = element('p', { id: 'search-outcome', class: 'found-outcome', role: 'status' });
const list = element('ol', { id: 'search-found', class: 'found' });
const form = element(
  'form',
  { method: 'dialog' },
  input,
  element('button', { type: 'submit' }, 'Close'),
);
const dialog = element('dialog', { id: 'search', 'aria-label': 'Search' }, form, outcome, list);
const show = resultsIn({ input, outcome, list });

input.addEventListener('input', () => void show());
// Enter opens the first result instead of closing the dialog.
form.addEventListener('submit', (event) => {
  const first = list.querySelector('a');
  if (event.submitter === document.activeElement || first === null) return;
  event.preventDefault();
  first.click();
});
dialog.addEventListener('keydown', (event) => moveByArrows(event, input, list));
// The result may be on the current page.
list.addEventListener('click', () => dialog.close());
document.body.append(dialog);

/** `typed` is the text that was entered before the dialog opened. */
export function openDialog(typed = ''): void {
  if (!dialog.open) dialog.showModal();
  if (typed === '') input.select();
  else input.value = typed;
  void show();
}
