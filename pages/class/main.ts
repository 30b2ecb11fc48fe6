/**
 * The page of a class: it creates and joins classes, shows the teacher the board (`#id`), and, below
 * the address of a pupil, their own progress.
 */

import { isAccountAddress } from '../shared/address-of.js';
import { attempt } from '../shared/attempt.js';
import { ApiError } from '../shared/call.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { forgetClass, knownClasses, readMe } from './api.js';
import { showBoard } from './board/board-view.js';
import { showProgress } from './pupil-view.js';
import { showKeyForm, showStart } from './start-view.js';

applyTheme();
addThemeSwitch();

let leave = new AbortController();

addEventListener('hashchange', () => void attempt(show));
void attempt(show);

async function show(): Promise<void> {
  leave.abort();
  leave = new AbortController();
  if (isAccountAddress() && (await isPupil())) return showProgress();
  const id = location.hash.slice(1);
  if (id === '') return showStart();
  const known = knownClasses().find((each) => each.id === id);
  if (known === undefined) return showKeyForm(id, () => void attempt(show));
  try {
    await showBoard(known, leave.signal);
  } catch (error) {
    const isGone = error instanceof ApiError && (error.status === 401 || error.status === 404);
    if (!isGone) throw error;
    forgetClass(id);
    showKeyForm(id, () => void attempt(show));
    throw new Error(error.message);
  }
}

/** Whether this page is below the address of a pupil; an account has such addresses, too. */
async function isPupil(): Promise<boolean> {
  try {
    await readMe();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return false;
    throw error;
  }
}
