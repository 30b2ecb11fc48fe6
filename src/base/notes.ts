/**
 * Notes on objects, as private members: `WeakMap` entries cost the garbage collector too much time.
 */

export interface Notes<Note> {
  find(target: object): Note | undefined;
  set(target: object, note: Note): void;
}

/** Lets derived classes add their private members to an existing object. */
class Existing {
  constructor(target: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is the purpose of the class.
    return target;
  }
}

export function createNotes<Note>(): Notes<Note> {
  /** For frozen objects, which may reject private members too. */
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
