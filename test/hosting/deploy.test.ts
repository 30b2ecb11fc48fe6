/**
 * Checks deployment files as far as possible without an engine: with their own tools, and against
 * this service.
 */

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { compiler } from '../../scripts/build.js';
import { readCommand, variablesOf } from '../../src/config/config.js';
import { settings } from '../../src/service.js';
import { foreignProgram } from '../support/foreign-program.js';
import { useService } from '../support/service.js';

const haproxy = foreignProgram('haproxy');
const root = new URL('../../', import.meta.url);
const deployed = (name: string) => fileURLToPath(new URL(`deploy/${name}`, root));
const read = (name: string) => readFileSync(deployed(name), 'utf8');

function settingsFault(environment: Readonly<Record<string, string>>): string {
  try {
    readCommand(settings, [], environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

haproxy.test('HAProxy accepts its configuration unchanged, without a warning', async () => {
  // With -dW a warning is a failure, too.
  expect(await haproxy.run('-c', '-dW', '-f', deployed('haproxy.cfg'))).toMatch(/valid/);
});

describe('the compose file', () => {
  const compose = foreignProgram('docker');
  const { services, networks } = parse(read('compose.yaml'));
  const { api, proxy } = services;

  compose.test('is valid for Docker Compose', async () => {
    const printed = await compose.run('-f', deployed('compose.yaml'), 'config');
    expect(Object.keys(parse(printed).services).sort()).toEqual(['api', 'proxy', 'valkey']);
  });

  test('sets existing settings, to valid values', () => {
    for (const name of Object.keys(api.environment)) expect(variablesOf(settings)).toContain(name);
    expect(settingsFault(api.environment)).toBe('');
  });

  test('has two replicas, read-only and without privileges', () => {
    expect(api.deploy.replicas).toBe(2);
    expect(api).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(api.ports).toBeUndefined();
  });

  test('trusts the network of its proxy, and allows enough time for a stop', () => {
    const { DRAIN_SECONDS, STOP_SECONDS, TRUST_PROXY } = api.environment;
    expect(TRUST_PROXY).toBe(networks.inner.ipam.config[0].subnet);
    expect(proxy.networks).toContain('inner');
    const needed = Number(DRAIN_SECONDS) + Number(STOP_SECONDS);
    expect(Number.parseInt(api.stop_grace_period, 10)).toBeGreaterThan(needed);
  });

  test('isolates the service and its state from outside networks', () => {
    expect(networks.inner.internal).toBe(true);
    expect(api.networks).toEqual(['inner']);
    expect(services.valkey.networks).toEqual(['inner']);
  });

  test('connects the proxy to the port that the image exposes', () => {
    const [, port] =
      /^EXPOSE (\d+)$/m.exec(readFileSync(new URL('Dockerfile', root), 'utf8')) ?? [];
    expect(read('haproxy.cfg')).toContain(` api:${port} `);
    expect(api.expose).toEqual([port]);
    const [published] = proxy.ports;
    expect(read('haproxy.cfg')).toContain(`  bind :${published.split(':')[1]}\n`);
  });
});

describe('the container of the guide about the state file', () => {
  const compose = foreignProgram('docker');
  const guide = readFileSync(new URL('docs/state.md', root), 'utf8');
  const [, text = ''] = /```yaml\n(services:[^`]+)```/.exec(guide) ?? [];
  const { api } = parse(text).services;
  const dockerfile = readFileSync(new URL('Dockerfile', root), 'utf8');
  const [, workdir] = /^WORKDIR (\/app)$/m.exec(dockerfile) ?? [];
  const [, folder] = /^RUN mkdir -m 777 (\w+)$/m.exec(dockerfile) ?? [];

  compose.test('is valid for Docker Compose', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'practice-api-compose-'));
    writeFileSync(join(directory, 'compose.yaml'), text);
    const printed = await compose.run('-f', join(directory, 'compose.yaml'), 'config');
    rmSync(directory, { recursive: true });
    expect(parse(printed).services.api.volumes).toEqual([`state:${workdir}/${folder}:rw`]);
  });

  test('keeps the file in the folder of the image that its user may write', () => {
    expect(settingsFault(api.environment)).toBe('');
    expect(dirname(api.environment.STATE_FILE)).toBe(`${workdir}/${folder}`);
    const [, mounted, file] = /-v [\w-]+:(\S+) -e STATE_FILE=(\S+)/.exec(guide) ?? [];
    expect(mounted).toBe(`${workdir}/${folder}`);
    expect(file).toBe(api.environment.STATE_FILE);
    expect(api).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });
});

describe('the manifests for Kubernetes', () => {
  const service = useService();
  const documents = parseAllDocuments(read('kubernetes.yaml'));
  const manifests = documents.map((document) => document.toJS());
  const ofKind = (kind: string) => manifests.find((manifest) => manifest.kind === kind);
  const deployment = ofKind('Deployment');
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;
  const environment: Record<string, string> = {
    ...ofKind('Secret').stringData,
    ...Object.fromEntries(
      container.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    ),
  };

  const folder = mkdtempSync(join(tmpdir(), 'practice-api-manifests-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  /**
   * Compiles objects against the types that are generated from the API description of Kubernetes.
   */
  async function compile(
    objects: readonly { kind: string; apiVersion: string }[],
  ): Promise<string> {
    const lines = objects.map((object) => {
      const [group = '', version] = object.apiVersion.split('/');
      // The core of the API has no group, and others are named by a domain.
      const path = version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`;
      const type = `import('kubernetes-types/${path}').${object.kind}`;
      return `(${JSON.stringify(object)}) satisfies ${type};`;
    });
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, `export {};\n${lines.join('\n')}\n`);
    const options = ['--noEmit', '--strict', '--target', 'esnext', '--types', '', '--ignoreConfig'];
    const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler'];
    return promisify(execFile)(process.execPath, [compiler, ...options, ...resolution, file]).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  }
  symlinkSync(fileURLToPath(new URL('test/node_modules', root)), join(folder, 'node_modules'));

  test('are valid YAML, and match the API of Kubernetes', async () => {
    expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
    expect(await compile(manifests)).toBe('');
  });

  test('are checked for unknown fields and values of the wrong type', async () => {
    const wrong = structuredClone(deployment);
    wrong.spec.template.spec.containers[0].readinesProbe = {};
    wrong.spec.replicas = '2';
    const faults = await compile([wrong]);
    expect(faults).toContain('readinesProbe');
    expect(faults).toContain("Type 'string' is not assignable to type 'number'");
  });

  test('set existing settings, to valid values', () => {
    for (const name of Object.keys(environment)) expect(variablesOf(settings)).toContain(name);
    expect(settingsFault(environment)).toBe('');
  });

  test('probe existing endpoints, on the port that the service listens on', async () => {
    const { startupProbe, readinessProbe, livenessProbe, ports } = container;
    for (const { httpGet } of [startupProbe, readinessProbe, livenessProbe]) {
      expect((await service.send(`GET ${httpGet.path}`)).status).toBe(200);
      expect(httpGet.port).toBe(ports[0].name);
    }
    expect(readinessProbe.httpGet.path).toBe('/health/ready');
    const { config } = readCommand(settings, [], {}) as { config: { port: number } };
    expect(ports[0].containerPort).toBe(config.port);
  });

  test('allow enough time for a stop', () => {
    const needed = Number(environment.DRAIN_SECONDS) + Number(environment.STOP_SECONDS);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(needed);
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(Number(environment.DRAIN_SECONDS)).toBeGreaterThan(periodSeconds * failureThreshold);
  });

  test('run two replicas as an unprivileged user, on a read-only root', () => {
    expect(deployment.spec.replicas).toBe(2);
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    const user = `${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`;
    expect(readFileSync(new URL('Dockerfile', root), 'utf8')).toContain(`USER ${user}\n`);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  test('select their own pods, and refer to each other by existing names', () => {
    const labels = deployment.spec.template.metadata.labels;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(ofKind('Service').spec.selector).toEqual(labels);
    expect(ofKind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels);
    expect(ofKind('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels);
    const { backend } = ofKind('Ingress').spec.rules[0].http.paths[0];
    expect(backend.service.name).toBe(ofKind('Service').metadata.name);
    expect(backend.service.port.name).toBe(ofKind('Service').spec.ports[0].name);
    expect(container.envFrom[0].secretRef.name).toBe(ofKind('Secret').metadata.name);
  });
});
