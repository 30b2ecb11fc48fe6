/** The dialog of one pupil: their requests, and what a teacher can do for them. */

import { attempt } from '../../shared/attempt.js';
import { confirm } from '../../shared/confirm.js';
import { copyFrom } from '../../shared/copy-button.js';
import { button, element } from '../../shared/element.js';
import type { Hunt, Pupil, RecordedRequest, Teacher } from '../api.js';
import { clockTime, requestText, statusOf } from '../cells.js';

const shownRequests = 100;

interface Words {
  /** The name, unless names are hidden. */
  readonly name: string;
  readonly titleOf: (id: string) => string;
}

export async function showPupil(teacher: Teacher, of: Pupil, { name, titleOf }: Words) {
  const { pupil, current } = of;
  const { requests } = await teacher.requestsOf(pupil);
  const close = () => dialog.close();
  const dialog = element(
    'dialog',
    { class: 'wide', 'aria-labelledby': 'pupil-title' },
    element('h2', { id: 'pupil-title', tabindex: -1 }, name),
    ...(current === null
      ? []
      : [
          element('p', {}, `${current.stuck ? 'Stuck on' : 'Works on'}: ${titleOf(current.id)}.`),
          element('ul', {}, ...current.missing.map((each) => element('li', {}, each))),
        ]),
    ...achievementsOf(of, titleOf),
    requestTable(requests),
    element(
      'p',
      { class: 'row choices' },
      button('Close', close, { autofocus: true }),
      ...secretButtons(teacher, pupil),
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

/** Lists solved challenges with their times, hints, hunts and wrong reports. */
function achievementsOf(
  { solved, points, hintCost, hunts, wrongReports }: Pupil,
  titleOf: Words['titleOf'],
): HTMLElement[] {
  const items = solved.map(({ id, at }) =>
    element('li', {}, titleOf(id), ' ', element('span', { class: 'quiet' }, dateTime(at))),
  );
  const ofHunts = hunts.map((hunt) => element('li', {}, describeHunt(hunt)));
  return [
    element(
      'p',
      {},
      solved.length === 0
        ? 'Nothing solved yet. '
        : `${points} points for ${solved.length} solved. `,
      hintCost === 0 ? '' : `Hints cost ${hintCost}.`,
    ),
    ...(items.length === 0 ? [] : [element('ul', { class: 'solved' }, ...items)]),
    ...(ofHunts.length + wrongReports === 0
      ? []
      : [
          element('p', {}, `Hunts for bugs, with ${wrongReports} wrong reports:`),
          element('ul', {}, ...ofHunts),
        ]),
  ];
}

function describeHunt({ level, count, found, points, endedAt }: Hunt): string {
  const end = endedAt === undefined ? 'still on' : `ended ${dateTime(endedAt)}`;
  return `${level}: ${found} of ${count} found, ${points} points, ${end}`;
}

const dateTime = (time: string) =>
  new Date(time).toLocaleString([], { dateStyle: 'short', timeStyle: 'medium' });

function secretButtons(teacher: Teacher, pupil: string): HTMLButtonElement[] {
  const copy = button(
    'Copy the base URL',
    () => void attempt(async () => copyFrom(copy, (await teacher.secretsOf(pupil)).address)),
  );
  const show = button(
    'Show the code',
    () =>
      void attempt(async () => {
        const { code } = await teacher.secretsOf(pupil);
        show.replaceWith(element('p', { class: 'own-code', 'aria-label': 'Code' }, code));
      }),
  );
  return [copy, show];
}

function requestTable(requests: readonly RecordedRequest[]): HTMLElement {
  if (requests.length === 0) return element('p', { class: 'quiet' }, 'No requests yet.');
  const rows = requests
    .slice(-shownRequests)
    .reverse()
    .map((request) => {
      const { status, time, fault } = request;
      return element(
        'tr',
        {},
        element('td', {}, clockTime(time)),
        element('td', {}, element('code', {}, requestText(request))),
        element('td', {}, statusOf(status), fault === null ? '' : ` ${fault}`),
      );
    });
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
