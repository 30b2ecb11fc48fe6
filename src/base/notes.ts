/**
 * Notes on objects that copies, loops and JSON do not show. A note is a private member of its object: entries of a
 * `WeakMap` cost a write more than all its other work, because every collection of garbage goes through them.
 */

export interface Notes<Note> {
  find(target: object): Note | undefined;
  set(target: object, note: Note): void;
}

/** Makes derived classes add their private members to an existing object. */
class Existing {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: it is the purpose of the class.
    return target;
  }
}

/** Makes notes of one kind. */
export function createNotes<Note>(): Notes<Note> {
  /** Frozen objects may become closed to private members as well. */
  const ofFrozen = new WeakMap<object, Note>();

  return class Noted extends Existing {
    #note: Note;

    private constructor(target: object, note: Note) {
      super(target);
      this.#note = note;
    }

    static find(target: object): Note | undefined {
      return #note in target ? target.#note : ofFrozen.get(target);
    }

    static set(target: object, note: Note): void {
      if (#note in target) target.#note = note;
      else if (Object.isExtensible(target)) new Noted(target, note);
      else ofFrozen.set(target, note);
    }
  };
}
