/** The endpoints of the page of passkeys, called as by another site. */

import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();
const place = '/s/hostile/api/auth/passkeys';
const calls = ['register/options', 'register/verify', 'login/options', 'login/verify'];

const hostile = [
  '"><script>alert(1)</script>',
  'javascript:alert(1)//',
  '//evil.example',
  '</title><img src=x onerror=alert(1)>',
  'a\r\nSet-Cookie: a=b',
];

test.each(hostile)('the user name %j is treated as data, or rejected', async (username) => {
  for (const call of calls) {
    const response = await service.send(`POST ${place}/${call}`, { json: { username } });
    expect(response.status, call).toBeLessThan(500);
    expect(response.headers['content-type'], call).toBe('application/json; charset=utf-8');
    expect(response.headers.location, call).toBeUndefined();
    expect(response.headers['set-cookie']?.join() ?? '', call).not.toMatch(/^a=/);
  }
});

test.each(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=a', 'text/plain'])(
  'a form of another site cannot send the required type: %s',
  async (type) => {
    for (const call of calls) {
      const headers = { 'content-type': type, origin: 'https://evil.example' };
      const body = '{"username":"ada"}';
      const { status } = await service.send(`POST ${place}/${call}`, { headers, body });
      expect(status, call).toBe(415);
    }
  },
);
