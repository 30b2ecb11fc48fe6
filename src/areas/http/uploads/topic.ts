/** Uploads: files that a sandbox keeps, sent at once or resumably, and read back in ranges. */

import type { Topic } from '../topic.js';
import { uploadsCollection } from './collection.js';
import * as schemas from './schemas.js';
import { tusHandlers } from './tus-handlers.js';
import { uploadHandlers } from './upload-handlers.js';

const files = '/api/http/uploads';
const file = `${files}/:id`;
const tus = `${files}/tus`;
const upload = `${tus}/:id`;

export const uploadsTopic: Topic = {
  name: 'uploads',
  title: 'Uploads',
  // The list itself belongs to a sandbox of one's own.
  start: `/s/demo${files}`,
  summary: 'Files by form, as bodies, and resumably by tus.',
  collection: uploadsCollection,
  fixedHeaders: [{ below: tus, values: { 'tus-resumable': '1.0.0' } }],

  addRoutes(app, services) {
    const ofFiles = uploadHandlers(services);
    app.post(files, { schema: schemas.add }, ofFiles.add);
    app.get(files, { schema: schemas.list }, ofFiles.list);
    app.delete(files, { schema: schemas.clear }, ofFiles.clear);
    app.get(file, { schema: schemas.show }, ofFiles.show);
    app.delete(file, { schema: schemas.remove }, ofFiles.remove);
    app.get(`${files}/content/:id`, { schema: schemas.give }, ofFiles.give);

    const byTus = tusHandlers(services);
    app.options(tus, { schema: schemas.capabilities }, byTus.capabilities);
    app.post(tus, { schema: schemas.create }, byTus.create);
    app.head(upload, { schema: schemas.tell }, byTus.tell);
    app.patch(upload, { schema: schemas.append }, byTus.append);
    app.delete(upload, { schema: schemas.end }, byTus.end);
    app.post(upload, { schema: schemas.override }, byTus.override);
  },
};
