import { expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

test('the page cannot be framed, and runs only its own script', async () => {
  const response = await service.send('GET /s/hostile/api/auth/passkeys', {
    headers: { Accept: 'text/html' },
  });
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = String(response.headers['content-security-policy']);
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"]) {
    expect(policy).toContain(rule);
  }
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/);
});
