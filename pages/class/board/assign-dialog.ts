/** The dialog in which a teacher chooses the assigned challenges. */

import { titleOfTrack } from '../../challenges/title-of-track.js';
import { element } from '../../shared/element.js';
import type { ListedChallenge } from '../api.js';

/** Resolves with the chosen ids; `undefined` if the teacher cancels. */
export async function chooseChallenges(
  assigned: readonly string[],
  challenges: readonly ListedChallenge[],
): Promise<readonly string[] | undefined> {
  const tracks = [...new Set(challenges.map(({ track }) => track))];
  const dialog = element(
    'dialog',
    { class: 'wide', 'aria-labelledby': 'assign-title' },
    element(
      'form',
      { method: 'dialog' },
      element('h2', { id: 'assign-title' }, 'Assign challenges'),
      ...tracks.map((track) =>
        trackOf(
          track,
          challenges.filter((each) => each.track === track),
          new Set(assigned),
        ),
      ),
      element(
        'p',
        { class: 'row choices' },
        element('button', { value: 'yes', class: 'main-action' }, 'Assign'),
        element('button', { value: 'no' }, 'Cancel'),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      const chosen = [...dialog.querySelectorAll<HTMLInputElement>('input:checked')];
      dialog.remove();
      resolve(dialog.returnValue === 'yes' ? chosen.map(({ value }) => value) : undefined);
    });
  });
}

function trackOf(
  track: string,
  challenges: readonly ListedChallenge[],
  assigned: ReadonlySet<string>,
): HTMLElement {
  const chosen = challenges.filter(({ id }) => assigned.has(id)).length;
  return element(
    'details',
    { open: chosen > 0 },
    element('summary', {}, `${titleOfTrack(track)} (${challenges.length})`),
    element(
      'ul',
      { class: 'choices-list' },
      ...challenges.map(({ id, title, level }) =>
        element(
          'li',
          {},
          element(
            'label',
            {},
            element('input', { type: 'checkbox', value: id, checked: assigned.has(id) }),
            ` ${title} `,
            element('span', { class: 'quiet' }, `level ${level}`),
          ),
        ),
      ),
    ),
  );
}
