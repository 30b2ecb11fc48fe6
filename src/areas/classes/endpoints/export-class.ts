/** The board as a file: a row for each pupil. */

import { Type } from 'typebox';
import { escapeFormula, writeRows } from '#http/body/csv-rows.js';
import { contentDisposition } from '#http/headers/content-disposition.js';
import { failures } from '#http/schemas/error-schema.js';
import { oneOf } from '#kit/describe/value-schemas.js';
import { endpoint } from '#kit/endpoint.js';
import type { HuntSummary } from '#kit/offers/hunts-of.js';
import { readPupils } from '../board.js';
import type { ClassServices } from '../class-services.js';
import { type PupilView, pupilSchema, pupilViewer } from '../pupil-row.js';
import { classOf, ofClass, ofTeacher } from './teacher-endpoints.js';

const columns = [
  'pupil',
  'name',
  'joinedAt',
  'label',
  'lastRequestAt',
  'requests',
  'failures',
  'points',
  'hintCost',
  'solved',
  'wrongReports',
  'hunts',
  'solvedCount',
  'assignedSolved',
  'tried',
  'stuckSince',
];

export const exportClass = (services: ClassServices) =>
  endpoint('GET', `${ofClass}/export`, {
    summary: 'Get the board as CSV or JSON',
    ...ofTeacher,
    params: { id: Type.String() },
    query: {
      format: Type.Optional(oneOf(['csv', 'json'], { default: 'json' })),
      formulas: Type.Optional(
        oneOf(['escape'], {
          description: "In CSV, puts ' before names that spreadsheets would run as formulas.",
        }),
      ),
    },
    responses: {
      200: {
        description: 'A file.',
        content: {
          'application/json': { schema: Type.Array(pupilSchema) },
          'text/csv': { schema: Type.String() },
        },
      },
      ...failures(404),
    },
    responseHeaders: { 200: { 'Content-Disposition': Type.String() } },
    async handle(request, reply) {
      const found = await classOf(request, services);
      const { record } = found;
      const { format, formulas } = request.query;
      const rows = await readPupils(found, services);
      const pupils = rows.map(pupilViewer(services, record));
      const extension = format === 'csv' ? 'csv' : 'json';
      reply.header(
        'content-disposition',
        contentDisposition('attachment', `class-${record.id}.${extension}`),
      );
      if (format !== 'csv') return pupils;
      const assigned = new Set(record.assigned);
      const cells = pupils.map((pupil) => rowOf(pupil, assigned));
      const shown = formulas === 'escape' ? cells.map((row) => row.map(escapeFormula)) : cells;
      return reply.type('text/csv; charset=utf-8').send(writeRows([columns, ...shown]));
    },
  });

function rowOf(view: PupilView, assigned: ReadonlySet<string>): (string | number | null)[] {
  const { pupil, label, name, joinedAt, last, requests, failures: failed } = view;
  const { points, hintCost, solved, wrongReports, hunts, tried, current } = view;
  const ofAssigned = solved.filter(({ id }) => assigned.has(id)).length;
  return [
    ...[pupil, name, joinedAt, label, last?.time ?? null, requests, failed, points, hintCost],
    solved.map(({ id, at }) => `${id} ${at}`).join('; '),
    wrongReports,
    hunts.map(describeHunt).join('; '),
    ...[solved.length, ofAssigned],
    tried.join('; '),
    current?.stuck ? current.since : null,
  ];
}

function describeHunt({ id, level, count, found, points, endedAt }: HuntSummary): string {
  const end = endedAt === undefined ? 'on' : `ended ${endedAt}`;
  return `${id} ${level}, ${found} of ${count}, ${points} points, ${end}`;
}
