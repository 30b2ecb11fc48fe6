/** The operations of both versions of Petstore. */

import { bodyText } from '#http/body/request-body.js';
import { HttpError } from '#http/http-error.js';
import type { Call } from '../dialect/call.js';
import type { Collection, Item } from '../dialect/collection.js';
import type { Handle } from '../dialect/dialect.js';
import { Outcome } from '../dialect/outcome.js';
import { readXml, valueIn } from '../dialect/xml.js';
import { type ModelName, parseExactly, readInt64, readModel } from './models.js';

/** How a version words its responses, and its records. */
export interface Version {
  readonly pets: Collection;
  readonly orders: Collection;
  readonly users: Collection;
  readonly isOld: boolean;
  /** The response to a request that names nothing known, or cannot be understood. */
  readonly fault: (status: number, text: string) => Outcome;
  /** The response to a write, with its model if this version returns one. */
  readonly done: (text: string, model?: unknown) => unknown;
}

type Model = Readonly<Record<string, unknown>>;
type Handlers = Readonly<Record<string, Handle>>;

/** Reads the models of a JSON, XML or form body. */
async function modelsIn(call: Call, name: ModelName, { fault }: Version): Promise<Model[]> {
  try {
    if (call.bodyType === 'application/x-www-form-urlencoded') {
      return [readModel(name, await call.body())];
    }
    const bytes = await call.bytes();
    const isXml = /[/+]xml$/.test(call.bodyType);
    const type = call.header('content-type') ?? '';
    const value = isXml ? valueIn(readXml(bytes, type)) : parseExactly(bodyText(bytes));
    return [value].flat().map((each) => readModel(name, each));
  } catch (error) {
    throw error instanceof HttpError && error.status !== 400 ? error : fault(400, 'bad input');
  }
}

async function modelIn(call: Call, name: ModelName, version: Version): Promise<Model> {
  const [model, ...others] = await modelsIn(call, name, version);
  if (model === undefined || others.length > 0) throw version.fault(400, 'bad input');
  return model;
}

function idIn({ params }: Call, name: string, { fault, isOld }: Version): string {
  const given = params[name] ?? '';
  try {
    return String(readInt64(given));
  } catch {
    const text = isOld
      ? `java.lang.NumberFormatException: For input string: "${given}"`
      : `Input error: couldn't convert \`${given}\` to type \`class java.lang.Long\``;
    throw fault(isOld ? 404 : 400, text);
  }
}

/** Keeps a model under its id; without one, or with 0, under the next. */
function keep(call: Call, of: Collection, { id, ...model }: Model): Promise<Item> {
  const given = id === 0 ? undefined : (id as Item['id'] | undefined);
  return call.create(of, (next) => ({ id: given ?? next, ...model }), given);
}

/** Returns the values of a parameter that may be repeated, or have commas. */
function valuesIn(call: Call, name: string, { fault, isOld }: Version): readonly string[] {
  const values = call.queries(name).flatMap((each) => each.split(','));
  if (values.length === 0 && !isOld) throw fault(400, `No ${name} provided. Try again?`);
  return values;
}

const statuses = ['available', 'pending', 'sold'];

export function petHandlers(version: Version): Handlers {
  const { pets, fault, done, isOld } = version;
  const missing = fault(404, 'Pet not found');
  const petIn = async (call: Call) =>
    readModel('Pet', { photoUrls: [], tags: [], ...(await modelIn(call, 'Pet', version)) });
  const idOf = (call: Call) => idIn(call, 'petId', version);
  return {
    addPet: async (call) => keep(call, pets, await petIn(call)),
    async updatePet(call) {
      const pet = await petIn(call);
      const known = pet.id === undefined ? undefined : await call.find(pets, pet.id as Item['id']);
      return known === undefined ? missing : keep(call, pets, pet);
    },
    async findPetsByStatus(call) {
      const wanted = valuesIn(call, 'status', version);
      const wrong = wanted.find((each) => !isOld && !statuses.includes(each));
      if (wrong !== undefined) {
        const message = `Input error: query parameter \`status value \`${wrong}\` is not in the allowable values \`[${statuses.join(', ')}]\``;
        return new Outcome(400, { code: 400, message });
      }
      return (await call.list(pets)).filter(({ status }) => wanted.includes(String(status)));
    },
    async findPetsByTags(call) {
      const wanted = valuesIn(call, 'tags', version);
      const isWanted = ({ name = '' }: { readonly name?: string }) => wanted.includes(name);
      return (await call.list(pets)).filter(({ tags }) => (tags as object[]).some(isWanted));
    },
    getPetById: async (call) => (await call.find(pets, idOf(call))) ?? missing,
    async updatePetWithForm(call) {
      const id = idOf(call);
      const { name = call.query('name'), status = call.query('status') } = await call.body();
      if (!isOld && name === undefined) return fault(400, 'No Name provided. Try again?');
      const given = Object.entries({ name, status }).filter(([, each]) => typeof each === 'string');
      const change = (item: Item) => ({ ...item, ...Object.fromEntries(given) });
      const pet = await call.change(pets, id, change);
      if (pet === undefined) return isOld ? fault(404, 'not found') : missing;
      return done(id, pet);
    },
    async deletePet(call) {
      const id = idOf(call);
      const found = await call.remove(pets, id);
      return found === undefined && isOld ? new Outcome(404) : done(isOld ? id : 'Pet deleted');
    },
    uploadFile: isOld ? uploadForm(version, idOf) : uploadBytes(version, idOf),
  };
}

type IdOf = (call: Call) => string;

const uploadForm =
  ({ fault, done }: Version, idOf: IdOf): Handle =>
  async (call) => {
    idOf(call);
    const { form, files } = await call.form();
    const [file] = files;
    if (file === undefined) return fault(400, 'No file uploaded');
    const size = file.pieces.reduce((sum, { length }) => sum + length, 0);
    const { additionalMetadata = null } = form;
    return done(
      `additionalMetadata: ${additionalMetadata}\nFile uploaded to ./${file.filename}, ${size} bytes`,
    );
  };

const uploadBytes =
  ({ pets, fault }: Version, idOf: IdOf): Handle =>
  async (call) => {
    const id = idOf(call);
    if ((await call.bytes()).length === 0) return fault(400, 'No file uploaded');
    const change = (item: Item) => ({
      ...item,
      photoUrls: [...(item.photoUrls as string[]), `https://pets.example/${id}-uploaded`],
    });
    return (await call.change(pets, id, change)) ?? fault(404, 'Pet not found');
  };

export function storeHandlers(version: Version): Handlers {
  const { pets, orders, fault, done, isOld } = version;
  const idOf = (call: Call) => idIn(call, 'orderId', version);
  return {
    /** The old version counts pets, the new one what was ordered. */
    async getInventory(call) {
      const counts = new Map<string, number>();
      for (const { status, quantity = 0 } of await call.list(isOld ? pets : orders)) {
        const more = isOld ? 1 : Number(quantity);
        counts.set(String(status), (counts.get(String(status)) ?? 0) + more);
      }
      return Object.fromEntries(counts);
    },
    placeOrder: async (call) => keep(call, orders, await modelIn(call, 'Order', version)),
    getOrderById: async (call) =>
      (await call.find(orders, idOf(call))) ?? fault(404, 'Order not found'),
    async deleteOrder(call) {
      const id = idOf(call);
      const found = await call.remove(orders, id);
      return found === undefined && isOld ? fault(404, 'Order Not Found') : done(isOld ? id : '');
    },
  };
}

const sessionMs = 3_600_000;

export function userHandlers(version: Version): Handlers {
  const { users, fault, done, isOld } = version;
  const nameIn = ({ params }: Call) => params.username ?? '';
  const save = (call: Call, user: Model) => {
    const { username } = user;
    if (typeof username !== 'string' || username === '') throw fault(400, 'bad input');
    return call.create(users, () => ({ id: 0, ...user }), username);
  };
  const createAll: Handle = async (call) => {
    const given = await modelsIn(call, 'User', version);
    for (const user of given) await save(call, user);
    return done('ok', given);
  };
  return {
    async createUser(call) {
      const user = await save(call, await modelIn(call, 'User', version));
      return done(String(user.id), user);
    },
    ...(isOld && { createUsersWithArrayInput: createAll }),
    createUsersWithListInput: createAll,
    async loginUser(call) {
      const nowMs = await call.now();
      const expires = new Date(nowMs + sessionMs).toUTCString();
      call.reply.headers({ 'x-rate-limit': '5000', 'x-expires-after': expires });
      return done(`${isOld ? 'logged in user session:' : 'Logged in user session: '}${nowMs}`);
    },
    logoutUser: () => done(isOld ? 'ok' : 'User logged out'),
    getUserByName: async (call) =>
      (await call.find(users, nameIn(call))) ?? fault(404, 'User not found'),
    async updateUser(call) {
      const name = nameIn(call);
      const { username = name, ...rest } = await modelIn(call, 'User', version);
      if ((await call.find(users, name)) === undefined && !isOld) {
        return fault(404, 'User not found');
      }
      if (username !== name) await call.remove(users, name);
      const saved = await save(call, { ...rest, username });
      return done(String(saved.id), saved);
    },
    async deleteUser(call) {
      const found = await call.remove(users, nameIn(call));
      if (found === undefined && isOld) return new Outcome(404);
      return done(isOld ? nameIn(call) : '');
    },
  };
}
