/** Values of a pupil as the cells of the board show them. */

import { element } from '../shared/element.js';
import type { LastRequest, Pupil } from './api.js';

export type State = 'solved' | 'tried' | 'stuck' | 'new';

/** The style sheet has the symbols, so that a cell has no children. */
export const stateNames: Readonly<Record<State, string>> = {
  solved: 'solved',
  tried: 'tried',
  stuck: 'stuck for over five minutes',
  new: 'not begun',
};

/** Makes the function that returns the state of a challenge for a pupil. */
export function statesOf({ solved, tried, current }: Pupil): (id: string) => State {
  const solvedIds = new Set(solved.map(({ id }) => id));
  return (id) => {
    if (solvedIds.has(id)) return 'solved';
    if (current?.id === id && current.stuck) return 'stuck';
    return tried.includes(id) ? 'tried' : 'new';
  };
}

const shortClock = new Intl.DateTimeFormat([], { timeStyle: 'short' });
const clock = new Intl.DateTimeFormat([], { timeStyle: 'medium' });

export const clockTime = (time: string) => clock.format(new Date(time));

export const shortTime = (time: string) => shortClock.format(new Date(time));

/** Returns the method and the target of a request. */
export const requestText = ({
  method,
  path,
  query,
}: Pick<LastRequest, 'method' | 'path' | 'query'>) =>
  `${method} ${path}${query === '' ? '' : `?${query}`}`;

export function lastOf(last: LastRequest) {
  return [
    element('span', { class: 'quiet' }, clockTime(last.time)),
    ' ',
    statusOf(last.status),
    ' ',
    element('code', {}, requestText(last)),
  ];
}

export const statusOf = (status: number) =>
  element('b', { class: status >= 400 ? 'failed' : 'worked' }, String(status));
