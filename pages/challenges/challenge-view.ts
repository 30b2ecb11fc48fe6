/** The chosen challenge: its goal, what is missing, its hints, and the explanation. */

import { addressOf } from '../shared/address-of.js';
import { copyButton } from '../shared/copy-button.js';
import { button, byId, element } from '../shared/element.js';
import { sandboxToSend } from '../shared/visitor/sandbox-name.js';
import type { ChallengeView } from './api.js';
import { titleOfTrack } from './title-of-track.js';

interface Acts {
  readonly start: () => void;
  readonly hint: () => void;
}

let last = '';

/** Leaves the page unchanged if nothing is new, so that the focus and opened parts stay. */
export function showChallenge(view: ChallengeView, acts: Acts): void {
  const text = JSON.stringify(view);
  if (text === last) return;
  last = text;
  const { title, goal, section, level, points, track, solved, started, explanation } = view;
  const place = byId('current', HTMLElement);
  const focused = place.contains(document.activeElement);
  place.replaceChildren(
    element('h2', { id: 'current-title' }, title),
    element(
      'p',
      { class: 'quiet' },
      `${titleOfTrack(track)}, level ${level}, ${points} points · ${section}`,
    ),
    element('p', { class: 'goal' }, goal),
    ...(solved
      ? [
          element('p', { class: 'state solved', role: 'status' }, 'Solved.'),
          element('p', {}, explanation ?? ''),
        ]
      : [
          element('p', { class: 'row' }, startButton(started, acts)),
          ...(started ? [evidenceOf(view), commandOf()] : []),
        ]),
    hintsOf(view, acts),
  );
  if (focused) place.focus({ preventScroll: true });
}

function startButton(started: boolean, { start }: Acts): HTMLElement {
  return started ? button('Start again', start) : button('Start', start, { class: 'main-action' });
}

function evidenceOf({ missing }: ChallengeView): HTMLElement {
  return element(
    'div',
    { role: 'status', 'aria-label': 'What is missing' },
    element('h3', {}, 'What is missing'),
    element('ul', { class: 'missing' }, ...missing.map((each) => element('li', {}, each))),
  );
}

/** Says how a client reaches the sandbox. */
function commandOf(): HTMLElement {
  const name = sandboxToSend();
  const header = name === undefined ? '' : `-H "X-Sandbox: ${name}" `;
  const command = `curl ${header}${addressOf('/')}`;
  return element(
    'p',
    { class: 'quiet' },
    'Send requests with any client to this sandbox: ',
    element('code', {}, command),
    ' ',
    copyButton('Copy', () => command),
  );
}

function hintsOf({ hints, hintsLeft, hintCost, solved }: ChallengeView, { hint }: Acts) {
  const taken = hints.map((each) => element('li', {}, each));
  const more =
    hintsLeft === 0 || solved
      ? []
      : [button(`Take a hint for ${hintCost} points`, hint, { 'data-hint': '' })];
  return element(
    'details',
    { open: hints.length > 0 },
    element('summary', {}, `Hints: ${hints.length} taken, ${hintsLeft} left`),
    element('ol', {}, ...taken),
    ...more,
  );
}
