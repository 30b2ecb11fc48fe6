/** Actions of a teacher on a class. The buttons stay when the class changes, so that they keep the focus. */

import { attempt } from '../../shared/attempt.js';
import { confirm } from '../../shared/confirm.js';
import { button, element } from '../../shared/element.js';
import type { ClassInfo, ListedChallenge, Teacher } from '../api.js';
import { chooseChallenges } from './assign-dialog.js';

export interface BoardActions {
  readonly root: HTMLElement;
  readonly show: (info: ClassInfo) => void;
}

const doing = (act: () => Promise<unknown>) => () => void attempt(async () => void (await act()));

const asking = (question: string, yes: string, act: () => Promise<unknown>) =>
  doing(async () => (await confirm(question, yes, 'Cancel')) && act());

export function boardActions(
  teacher: Teacher,
  listed: () => readonly ListedChallenge[],
): BoardActions {
  let info: ClassInfo | undefined;
  const assign = button(
    'Assign challenges',
    doing(async () => {
      const chosen = await chooseChallenges(info?.assigned ?? [], listed());
      if (chosen !== undefined) await teacher.change({ assigned: chosen });
    }),
  );
  const freeze = button(
    'Freeze',
    doing(() => teacher.change({ frozen: !info?.frozen })),
  );
  const ranking = button(
    'Show the ranking',
    doing(() => teacher.change({ ranking: !info?.ranking })),
  );
  const exporting = (format: string) =>
    button(
      `Export ${format.toUpperCase()}`,
      doing(() => download(teacher, format, info?.name ?? 'class')),
    );
  const root = element(
    'div',
    { class: 'row actions' },
    ...[assign, freeze, ranking, exporting('csv'), exporting('json')],
    button(
      'Reset all',
      asking('Empty the sandboxes of all pupils, and this board?', 'Reset all', () =>
        teacher.resetAll(),
      ),
    ),
    button(
      'End the class',
      asking('Delete the class with everything that its pupils did?', 'End it', () =>
        teacher.end(),
      ),
      { class: 'danger' },
    ),
  );
  return {
    root,
    show(latest) {
      info = latest;
      const { length } = latest.assigned;
      assign.textContent = `Assign challenges${length > 0 ? ` (${length})` : ''}`;
      freeze.setAttribute('aria-pressed', String(latest.frozen));
      ranking.setAttribute('aria-pressed', String(latest.ranking));
    },
  };
}

async function download(teacher: Teacher, format: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await teacher.file(format));
  element('a', { href: url, download: `${name}.${format}` }).click();
  URL.revokeObjectURL(url);
}
