/** The sandbox's clock: tokens expire and windows end without waiting. */

import { button, element } from '../shared/element.js';
import { moveClock } from './sandbox-api.js';
import type { Panel, Section } from './section.js';

const secondMs = 1000;

export function clockSection({ actInOwn }: Panel): Section {
  const now = element('p', { id: 'bar-now', class: 'bar-about' });
  const ahead = (seconds: number) => () => move(({ offsetSeconds }) => offsetSeconds + seconds);
  const date = element('input', {
    id: 'bar-date',
    type: 'datetime-local',
    step: 1,
    required: true,
  });
  const toDate = element(
    'form',
    { class: 'bar-field' },
    element('label', { for: 'bar-date' }, 'To a date, in your time zone'),
    element('div', { class: 'bar-row' }, date, element('button', {}, 'Move')),
  );
  toDate.addEventListener('submit', (event) => {
    event.preventDefault();
    const target = new Date(date.value).getTime();
    move(({ now, offsetSeconds }) => {
      const realSeconds = Date.parse(now) / secondMs - offsetSeconds;
      return Math.round(target / secondMs - realSeconds);
    });
  });
  function move(to: Parameters<typeof moveClock>[0]): void {
    actInOwn(async () => {
      const clock = await moveClock(to);
      return `The clock is at ${timeOf(clock.now)}.`;
    });
  }
  const back = button('Back to now', () => move(() => 0));
  return {
    content: element(
      'section',
      { class: 'bar-section', 'aria-labelledby': 'bar-clock-title' },
      element('h3', { id: 'bar-clock-title' }, 'Clock'),
      now,
      element(
        'div',
        { class: 'bar-row' },
        button('+1 min', ahead(60)),
        button('+1 h', ahead(3600)),
        back,
      ),
      toDate,
    ),
    show({ clock }) {
      const { offsetSeconds } = clock;
      const how = offsetSeconds === 0 ? 'the real time' : `${spanOf(offsetSeconds)} the real time`;
      now.textContent = `${timeOf(clock.now)}, ${how}`;
    },
  };
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
}

/** Formats a time span such as `1 d 2 h ahead of`. */
function spanOf(offsetSeconds: number): string {
  const seconds = Math.abs(Math.round(offsetSeconds));
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
  return `${shown.join(' ')} ${offsetSeconds > 0 ? 'ahead of' : 'behind'}`;
}
