/** The tracks, each with its challenges and how many are solved. */

import { byId, element } from '../shared/element.js';
import type { Challenge } from './api.js';
import { titleOfTrack } from './title-of-track.js';

export function showTracks(challenges: readonly Challenge[], current: string | null): void {
  const nav = byId('tracks', HTMLElement);
  const open = new Set(
    [...nav.querySelectorAll<HTMLDetailsElement>('details[open]')].map(({ id }) => id),
  );
  const chosen = challenges.find(({ id }) => id === (location.hash.slice(1) || current));
  const tracks = [...new Set(challenges.map(({ track }) => track))];
  nav.replaceChildren(
    ...tracks.map((track) => {
      const own = challenges.filter((each) => each.track === track);
      const solved = own.filter((each) => each.solved).length;
      const id = `track-${track}`;
      return element(
        'details',
        { id, open: open.has(id) || chosen?.track === track || (!chosen && track === tracks[0]) },
        element(
          'summary',
          {},
          element('b', {}, titleOfTrack(track)),
          element('span', { class: 'quiet' }, `${solved} of ${own.length}`),
          element('progress', {
            value: solved,
            max: own.length,
            'aria-label': `Solved: ${titleOfTrack(track)}`,
          }),
        ),
        element('ol', {}, ...own.map((each) => rowOf(each, current))),
      );
    }),
  );
}

function rowOf({ id, title, level, points, solved }: Challenge, current: string | null) {
  const state = solved ? 'solved' : id === current ? 'current' : '';
  return element(
    'li',
    {},
    element('a', { href: `#${id}` }, title),
    element('span', { class: 'quiet' }, ` level ${level}, ${points} points`),
    ...(state === '' ? [] : [element('b', { class: `state ${state}` }, ` ${state}`)]),
  );
}
