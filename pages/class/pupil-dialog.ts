/** The dialog of one pupil: their requests, and what a teacher can do for them. */

import { attempt } from '../shared/attempt.js';
import { confirm } from '../shared/confirm.js';
import { copyFrom } from '../shared/copy-button.js';
import { button, element } from '../shared/element.js';
import type { Pupil, RecordedRequest, Teacher } from './api.js';
import { clockTime } from './pupil-table.js';

const shownRequests = 100;

export async function showPupil(teacher: Teacher, { pupil, name, current, solved }: Pupil) {
  const { requests } = await teacher.requestsOf(pupil);
  const close = () => dialog.close();
  const dialog = element(
    'dialog',
    { class: 'wide', 'aria-labelledby': 'pupil-title' },
    element('h2', { id: 'pupil-title', tabindex: -1 }, name),
    ...(current === null
      ? []
      : [
          element('p', {}, 'Works on ', element('code', {}, current.id), '.'),
          element('ul', {}, ...current.missing.map((each) => element('li', {}, each))),
        ]),
    element('p', {}, solved.length === 0 ? 'Nothing solved yet.' : `Solved: ${solved.join(', ')}`),
    requestTable(requests),
    element(
      'p',
      { class: 'row choices' },
      button('Close', close, { autofocus: true }),
      addressButton(teacher, pupil),
      button('Reset', () => act(`Reset ${name}?`, 'Reset', () => teacher.reset(pupil))),
      button('Remove', () => act(`Remove ${name}?`, 'Remove', () => teacher.remove(pupil)), {
        class: 'danger',
      }),
    ),
  );
  function act(question: string, yes: string, doIt: () => Promise<unknown>): void {
    void attempt(async () => {
      if (!(await confirm(question, yes, 'Cancel'))) return;
      close();
      await doIt();
    });
  }
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function addressButton(teacher: Teacher, pupil: string): HTMLButtonElement {
  const made = button(
    'Copy the address',
    () => void attempt(async () => copyFrom(made, await teacher.addressOf(pupil))),
  );
  return made;
}

function requestTable(requests: readonly RecordedRequest[]): HTMLElement {
  if (requests.length === 0) return element('p', { class: 'quiet' }, 'No requests yet.');
  const rows = requests
    .slice(-shownRequests)
    .reverse()
    .map(({ method, path, status, time, fault }) =>
      element(
        'tr',
        {},
        element('td', {}, clockTime(time)),
        element('td', {}, element('code', {}, `${method} ${path}`)),
        element(
          'td',
          {},
          element('b', { class: status >= 400 ? 'failed' : 'worked' }, String(status)),
          fault === null ? '' : ` ${fault}`,
        ),
      ),
    );
  const heads = ['Time', 'Request', 'Status'].map((each) => element('th', { scope: 'col' }, each));
  return element(
    'div',
    { class: 'table requests', tabindex: 0, role: 'region', 'aria-label': 'Requests' },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows),
    ),
  );
}
