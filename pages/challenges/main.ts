/**
 * The page of challenges. The fragment of the URL names the shown one: `#http-head`. What is missing
 * is read again every two seconds.
 */

import { baseOf, ownPupils } from '../class/own-pupils.js';
import { attempt } from '../shared/attempt.js';
import { confirm } from '../shared/confirm.js';
import { button, byId, element } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { needSandbox, onSandboxChange } from '../shared/visitor/sandbox-name.js';
import {
  type Challenge,
  listChallenges,
  readChallenge,
  readProgress,
  resetProgress,
  startChallenge,
  takeHint,
} from './api.js';
import { bringHints } from './bring-hints.js';
import { showChallenge } from './challenge-view.js';
import { showTracks } from './track-list.js';

applyTheme();
addThemeSwitch();

const refreshMs = 2000;

addEventListener('hashchange', () => void attempt(showChosen));
onSandboxChange(() => void attempt(showOther));
setInterval(() => {
  if (document.visibilityState === 'visible') void refresh();
}, refreshMs);
void attempt(showAll);

let shown: string | undefined;
let solvedBefore = 0;

async function showAll(): Promise<void> {
  needSandbox();
  const [challenges, progress] = await Promise.all([listChallenges(), readProgress()]);
  showProgress(challenges, progress.points, progress.hintCost);
  solvedBefore = progress.solved.length;
  showTracks(challenges, progress.current);
  if (location.hash === '' && progress.current !== null) {
    history.replaceState(null, '', `#${progress.current}`);
  }
  showOwnPupil();
  await showChosen();
}

/** Progress in a class belongs to the address of the pupil, which this page may not have. */
function showOwnPupil(): void {
  const [pupil] = ownPupils();
  const place = byId('pupil', HTMLParagraphElement);
  place.hidden = pupil === undefined || /\/s\/~/.test(location.pathname);
  if (place.hidden || pupil === undefined) return;
  const name = `${pupil.label} in ${pupil.class}`;
  const link = element('a', { href: `${baseOf(pupil)}/challenges` }, name);
  place.replaceChildren('This is not your progress in a class. Continue as ', link, '.');
}

/** Another sandbox may have fewer hints of a challenge in progress. */
async function showOther(): Promise<void> {
  const { current } = await readProgress();
  if (current !== null) await bringHints(current);
  await showAll();
}

async function startWithHints(id: string): Promise<void> {
  await bringHints(id);
  await startChallenge(id);
}

function showProgress(challenges: readonly Challenge[], points: number, hintCost: number): void {
  const solved = challenges.filter((each) => each.solved).length;
  const spent = hintCost === 0 ? '' : `, after ${hintCost} for hints`;
  const place = byId('progress', HTMLParagraphElement);
  place.replaceChildren(`${solved} of ${challenges.length} solved, ${points} points${spent}. `);
  if (solved > 0) place.append(button('Start over', () => void attempt(startOver)));
}

async function startOver(): Promise<void> {
  const question = 'Delete your progress? What hints cost is not given back.';
  if (!(await confirm(question, 'Delete it'))) return;
  await resetProgress();
  await showAll();
}

async function showChosen(): Promise<void> {
  const id = decodeURIComponent(location.hash.slice(1));
  if (!/^[\w-]+$/.test(id)) return;
  const view = await readChallenge(id);
  const isNew = shown !== id;
  shown = id;
  const acting = (act: (id: string) => Promise<unknown>) => () =>
    void attempt(async () => {
      await act(id);
      await showAll();
    });
  showChallenge(view, { start: acting(startWithHints), hint: acting(takeHint) });
  if (isNew) byId('current', HTMLElement).focus({ preventScroll: true });
}

/** Follows the requests of the visitor. */
async function refresh(): Promise<void> {
  try {
    const { solved } = await readProgress();
    if (solved.length === solvedBefore) await showChosen();
    else await showAll();
  } catch {
    // The next turn tries again.
  }
}
