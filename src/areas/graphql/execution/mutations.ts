/** Resolvers of Mutation. */

import { checkPriority, checkText } from './check-input.js';
import type { Arguments } from './queries.js';
import { changeTable, type RequestContext } from './request-context.js';

/** Arguments have been coerced to the types of the schema; a thrown error becomes a field error. */
type Mutation = (args: Arguments, context: RequestContext) => Promise<unknown>;

const dueInMs = 7 * 24 * 60 * 60 * 1000;

export const mutations: Readonly<Record<string, Mutation>> = {
  createUser(args, context) {
    const user = userFields(args);
    return changeTable(context, 'users', (users) => users.create((id) => ({ id, ...user })));
  },

  updateUser(args, context) {
    const user = userFields(args);
    return changeTable(context, 'users', (users) =>
      users.update(args.id as number, ({ id }) => ({ id, ...user })),
    );
  },

  deleteUser({ id }, context) {
    return changeTable(context, 'users', (users) =>
      users.remove(id as number) ? `User ${id} deleted successfully` : `User ${id} not found`,
    );
  },

  addTodo(args, context) {
    const title = checkText('title', args.title as string);
    const priority = checkPriority(args.priority as string);
    const userId = args.userId as number;
    return changeTable(context, 'todos', (todos) =>
      todos.create((id, nowMs) => ({
        id,
        userId,
        title,
        completed: false,
        priority,
        dueDate: new Date(nowMs + dueInMs).toISOString().slice(0, 10),
      })),
    );
  },

  toggleTodo({ id }, context) {
    return changeTable(context, 'todos', (todos) =>
      todos.update(id as number, (todo) => ({ ...todo, completed: !todo.completed })),
    );
  },

  deleteTodo({ id }, context) {
    return changeTable(context, 'todos', (todos) => todos.remove(id as number));
  },
};

function userFields(args: Arguments) {
  return {
    name: checkText('name', args.name as string),
    job: checkText('job', args.job as string),
    city: checkText('city', args.city as string),
  };
}
