import { describe, expect, test } from 'vitest';
import { useService } from '../support/service.js';

const service = useService();

describe('a page', () => {
  const browser = { headers: { accept: 'text/html' } };

  test.each(['/bins', '/graphql'])(
    '%s cannot be framed and runs only files of the service',
    async (path) => {
      const { status, headers } = await service.send(`GET ${path}`, browser);
      expect(status).toBe(200);
      const [own = '', scripts] = String(headers['content-security-policy']).split(', ');
      const policy = own.split('; ');
      expect(scripts).toBe('script-src *:*/assets/');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
    },
  );
});

test('an image can be embedded by a page that is isolated from other origins, and runs no scripts', async () => {
  const { headers } = await service.send('GET /images/products/1.svg');
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
});

test('JSON of the API has its media type, and no headers for documents', async () => {
  const { headers } = await service.send('GET /api/methods/get?a=<script>');
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  for (const name of ['content-security-policy', 'x-frame-options', 'strict-transport-security']) {
    expect(headers).not.toHaveProperty(name);
  }
});

describe('a service whose base URL is https', () => {
  const secure = useService({ baseUrl: 'https://api.example.com' });

  test.each(['/api/methods/get', '/bins', '/nothing', '/%'])(
    'asks browsers to stay on https, at %s',
    async (path) => {
      const { headers } = await secure.send(`GET ${path}`);
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    },
  );
});
