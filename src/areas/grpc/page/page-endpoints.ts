/** The page of gRPC, its list for programs, and the files that describe the services. */

import { Type } from 'typebox';
import { loadPackageFile } from '#base/package/package-files.js';
import { HttpError } from '#http/http-error.js';
import { failures } from '#http/schemas/error-schema.js';
import { type Endpoint, endpoint } from '#kit/endpoint.js';
import { type Html, html } from '#kit/pages/html.js';
import { listOrPage } from '#kit/pages/list-or-page.js';
import { renderOffered } from '#kit/pages/offered-list.js';
import { sendFilledPage } from '#kit/pages/send-page.js';
import { clientRules } from '../judge/rules.js';
import { misbehaviours } from '../misbehaviour/cases.js';
import type { ServedMethod } from '../model/method.js';
import { servicesOf } from '../services/all-services.js';

const kinds = {
  unary: 'one message',
  server_streaming: 'returns a stream',
  client_streaming: 'accepts a stream',
  bidi_streaming: 'two streams',
};

const fileOf = ({ desc }: ServedMethod) => desc.parent.file.proto.name;

/** All files, also imported ones. */
function filesOf(methods: readonly ServedMethod[]): readonly string[] {
  const files = new Set(methods.map(({ desc }) => desc.parent.file));
  for (const file of files) for (const imported of file.dependencies) files.add(imported);
  const names = [...files].map(({ proto }) => proto.name);
  // Compilers have these.
  return names.filter((name) => !name.startsWith('google/protobuf/')).sort();
}

function renderOffer(methods: readonly ServedMethod[]): Html {
  const services = servicesOf(methods).map((name) => {
    const own = methods.filter(({ desc }) => desc.parent.typeName === name);
    const says = own.map(({ desc }) => `${desc.name} (${kinds[desc.methodKind]})`).join(', ');
    return { name, says: `${says}.`, note: own[0] && fileOf(own[0]) };
  });
  const cases = [...misbehaviours].map(([name, { what, rightClient, section }]) => ({
    name,
    says: `${what} A right client: ${rightClient}`,
    note: section,
  }));
  const rules = clientRules.map(({ name, right, section }) => ({
    name,
    says: right,
    note: section,
  }));
  return html`
    ${renderOffered('services', 'Services', services)}
    ${renderOffered('misbehaviours', 'Misbehaviours', cases)}
    ${renderOffered('rules', 'Rules that the judge checks', rules)}`;
}

const renderFiles = (files: readonly string[]): Html =>
  html`${files.map((file) => html`<li><a href="grpc/proto/${file}" download>${file}</a></li>`)}`;

export function pageEndpoints(methods: readonly ServedMethod[]): readonly Endpoint[] {
  const files = filesOf(methods);
  return [
    listOrPage('/grpc', {
      summary: 'List the services of gRPC, or get the page',
      list: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      read: (baseUrl) => ({
        target: new URL(baseUrl).host,
        services: servicesOf(methods),
        files: files.map((file) => `${baseUrl}/grpc/proto/${file}`),
        testPlan: `${baseUrl}/grpc/test-plan`,
      }),
      sendPage: (request, reply) =>
        sendFilledPage(request, reply, 'grpc', () => ({
          '<!-- offer -->': renderOffer(methods).text,
          '<!-- files -->': renderFiles(files).text,
        })),
    }),
    endpoint('GET', '/grpc/proto/*', {
      summary: 'Get a file that describes services of gRPC',
      hide: true,
      responses: { 200: Type.String(), ...failures(404) },
      async handle(request, reply) {
        const { '*': name = '' } = request.params as Record<string, string>;
        if (!files.includes(name)) throw new HttpError(404, 'GET /grpc lists the files.');
        return reply
          .type('text/plain; charset=utf-8')
          .send(await loadPackageFile(`data/proto/${name}`));
      },
    }),
  ];
}
