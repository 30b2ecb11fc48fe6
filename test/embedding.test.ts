import { expect, test } from 'vitest';
import { ConfigError, createService } from '../src/index.js';

test('services in one process have different ports and close separately', async () => {
  const [one, two] = await Promise.all([createService(), createService()]);
  expect(one.url).not.toBe(two.url);
  await one.close();
  await expect(fetch(one.url)).rejects.toThrow();
  expect((await fetch(two.url)).status).toBe(200);
  await two.close();
});

test('a service can be closed twice', async () => {
  const service = await createService();
  await Promise.all([service.close(), service.close()]);
  await service.close();
});

test('closing does not wait for a client that never finishes its request', async () => {
  const service = await createService();
  const endless = fetch(`${service.url}/api/methods/post`, {
    method: 'POST',
    body: new ReadableStream({ pull: () => new Promise(() => {}) }),
    duplex: 'half',
  } as RequestInit);
  endless.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 50));
  await service.close();
  await expect(endless).rejects.toThrow();
});

test('bad options are rejected all at once', async () => {
  await expect(createService({ port: 70_000, baseUrl: 'nowhere' })).rejects.toThrow(ConfigError);
  await expect(createService({ port: 70_000, baseUrl: 'nowhere' })).rejects.toThrow(
    /port must .*; got 70000\.\n.*baseUrl must .*; got "nowhere"/,
  );
});

test('a port in use is rejected with the error of the system', async () => {
  const service = await createService();
  const port = Number(new URL(service.url).port);
  await expect(createService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await service.close();
});
