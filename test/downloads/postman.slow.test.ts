/**
 * The Postman collection, run by Newman against fresh services, used services, and services that
 * require accounts.
 */

import { Collection } from 'postman-collection';
import { describe, expect, test } from 'vitest';
import { gatherCollections } from '../../src/describe/postman/gather-collections.js';
import { areas } from '../../src/service.js';
import { signUp } from '../support/accounts.js';
import { everyThird, isWhole } from '../support/every-third.js';
import { useService } from '../support/service.js';
import { runNewman } from './newman.js';

const { leftOut } = gatherCollections(areas, false);
const path = '/downloads/practice-api.postman_collection.json';
const runTimeout = { timeout: 180_000 };
const leastAssertions = 700;

/** Folders whose responses never depend on earlier requests: one run is enough. */
const remembersNothing = ['HTTP methods', 'HTTP lab', 'httpbin', 'Images'];
const leastAssertionsOfOthers = isWhole ? 300 : 40;

/** Arguments that select the third of the other folders whose turn it is. */
async function someOfTheOthers(send: ReturnType<typeof useService>['send']): Promise<string[]> {
  const { item } = (await send(`GET ${path}`)).json as { item: readonly Item[] };
  const others = item.map(({ name }) => name).filter((name) => !remembersNothing.includes(name));
  expect(others).toHaveLength(item.length - remembersNothing.length);
  return everyThird(others).flatMap((name) => ['--folder', name]);
}

interface Item {
  readonly id?: string;
  readonly name: string;
  readonly item?: readonly Item[];
  readonly response?: readonly { readonly code: number }[];
}

function requestsOf(items: readonly Item[]): Item[] {
  return items.flatMap((each) => (each.item === undefined ? [each] : requestsOf(each.item)));
}

describe('an open service, where an IP address may sign up once an hour', () => {
  const service = useService({ signUpsPerHour: 1 });
  const { send } = service;
  const twice = useService({ signUpsPerHour: 1 });

  test('every request of the collection passes its tests', runTimeout, async () => {
    const { failures, assertions } = await runNewman(service.url + path);
    expect(failures).toEqual([]);
    expect(assertions).toBeGreaterThan(leastAssertions);
  });

  test(
    'requests pass again on a used service, and in a sandbox given by the base URL',
    runTimeout,
    async () => {
      const inside = `/s/newman${path}`;
      expect((await send(`GET ${inside}`)).json.variable[0].value).toBe(`${service.url}/s/newman`);
      const folders = await someOfTheOthers(send);
      for (const again of [path, inside]) {
        const { failures, assertions } = await runNewman(service.url + again, folders);
        expect(failures).toEqual([]);
        expect(assertions).toBeGreaterThan(leastAssertionsOfOthers);
      }
    },
  );

  test.each(['REST collections', 'json-server'])(
    'the folder %s passes by itself',
    runTimeout,
    async (folder) => {
      const { failures, requests } = await runNewman(service.url + path, ['--folder', folder]);
      expect(failures).toEqual([]);
      expect(requests).toBeGreaterThan(8);
    },
  );

  test('a run continues with the variables of the previous one', runTimeout, async () => {
    const { url } = twice;
    const { failures, requests } = await runNewman(url + path, ['--folder', 'Accounts', '-n', '2']);
    expect(failures).toEqual([]);
    // In the second run no sign-up is left, so requests that need an account are skipped.
    expect(requests).toBeLessThan(2 * 5 + 1);
  });

  test('a run does not change what others see', async () => {
    const events = (await send('GET /api/Events/count')).text;
    expect(events).toBe(
      (await send('GET /api/Events/count', { headers: { 'X-Sandbox': 'untouched' } })).text,
    );
  });

  test(
    'the tests of the collection detect a service with other responses',
    runTimeout,
    async () => {
      const broken = `${service.url}/api/methods/any?ignored=`;
      const { failures } = await runNewman(service.url + path, [
        '--folder',
        'Versioning',
        '--env-var',
        `baseUrl=${broken}`,
      ]);
      expect(failures.length).toBeGreaterThan(4);
    },
  );

  test('every operation of the description is in it, except for listed ones with a reason', async () => {
    const { paths } = (await send('GET /openapi.json')).json;
    const described = Object.values<Record<string, { operationId?: string }>>(paths).flatMap(
      (operations) => Object.values(operations).flatMap(({ operationId }) => operationId ?? []),
    );
    const { item } = (await send(`GET ${path}`)).json as { item: readonly Item[] };
    const ids = requestsOf(item).flatMap(({ id }) => id ?? []);
    expect(ids.length).toBeGreaterThan(130);
    // Operations of services with accounts only are not described here.
    const reasons = Object.keys(leftOut).filter((id) => described.includes(id));
    expect([...ids, ...reasons].sort()).toEqual(described.sort());
  });

  test('requests of a folder have different names', async () => {
    const { item } = (await send(`GET ${path}`)).json as { item: readonly Item[] };
    const folders = item.flatMap((folder) =>
      folder.name === 'Flows' ? (folder.item ?? []) : folder,
    );
    for (const { name, item: requests = [] } of folders) {
      const names = requests.map((each) => each.name);
      expect(new Set(names).size, name).toBe(names.length);
    }
  });

  test('failures are examples, too', async () => {
    const { item } = (await send(`GET ${path}`)).json as { item: readonly Item[] };
    const login = requestsOf(item).find(({ id }) => id === 'postAuthJwtLogin');
    expect(login?.response?.map(({ code }) => code)).toEqual([200, 415, 200, 401, 400]);
  });

  test('the collection format’s own library parses all of it', async () => {
    const { json } = await send(`GET ${path}`);
    const collection = new Collection(json);
    const [requests, scripts, auths] = [new Set<string>(), [] as string[], new Set<string>()];
    collection.forEachItem((item) => {
      expect(item.request.url.getHost()).toBe('{{baseUrl}}');
      requests.add(item.id);
      scripts.push(...item.events.map(({ listen }) => String(listen)));
      if (item.request.auth) auths.add(item.request.auth.type);
    });
    expect(requests.size).toBe(requestsOf(json.item).length);
    expect(scripts.filter((listen) => listen === 'test')).toHaveLength(requests.size);
    expect([...auths].sort()).toEqual(['apikey', 'awsv4', 'basic', 'bearer', 'digest']);
  });

  test('nothing in it contains the host of the recording', async () => {
    expect((await send(`GET ${path}`)).text).not.toContain('base-url.invalid');
  });
});

describe('a service that requires accounts', () => {
  const service = useService({ accounts: 'required', basicUser: 'ada:hush-hush' });

  test('every request passes with the key of an account', runTimeout, async () => {
    const { key } = await signUp(service);
    const { failures, assertions } = await runNewman(service.url + path, [
      ...(await someOfTheOthers(service.send)),
      ...['--env-var', `serviceKey=${key}`],
      ...['--env-var', 'basicUsername=ada', '--env-var', 'basicPassword=hush-hush'],
    ]);
    expect(failures).toEqual([]);
    expect(assertions).toBeGreaterThan(leastAssertionsOfOthers);
  });

  test('clients without a key do not see credentials that replace the demo ones', async () => {
    expect((await service.send(`GET ${path}`)).text).not.toContain('hush-hush');
    expect((await service.send('GET /downloads/practice-api.http')).text).not.toContain(
      'hush-hush',
    );
  });
});

describe('an open service with its own credentials', () => {
  const { send } = useService({ basicUser: 'ada:hush-hush' });

  test.each([path, '/downloads/practice-api.http'])('puts them into %s', async (file) => {
    expect((await send(`GET ${file}`)).text).toContain('hush-hush');
  });
});
