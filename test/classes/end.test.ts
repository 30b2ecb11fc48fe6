/** A class ends 30 days after its creation, by the real clock. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';
import { newClass } from './school.js';

const dayMs = 24 * 60 * 60 * 1000;
let nowMs = Date.parse('2026-09-01T08:00:00Z');
const service = useService({ now: () => nowMs });

test('until then it works, also after a pause of weeks; afterwards nothing does', async () => {
  const { created, join, joinCode, teach } = await newClass(service);
  expect(created.endsAt).toBe('2026-10-01T08:00:00.000Z');
  const ada = await join('Ada');
  await ada.call('DELETE /api/Books/1');
  await ada.call('PUT /api/sandbox/clock', { json: { offsetSeconds: 40 * 24 * 60 * 60 } });
  nowMs += 29 * dayMs;
  expect((await ada.call('GET /api/Books/1')).status).toBe(404);
  expect((await teach('GET')).json.pupils[0]).toMatchObject({ name: 'Ada', requests: 3 });
  nowMs += dayMs;
  expect((await ada.call('GET /api/Books/2')).status).toBe(404);
  expect((await ada.call('GET /api/Books/2')).json.message).toContain('its class ended');
  expect((await teach('GET')).status).toBe(404);
  const late = await service.send('POST /api/classes/join', { json: { joinCode, name: 'Late' } });
  expect(late.status).toBe(404);
});
