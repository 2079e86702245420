/** A class whose instances are entities; its constructor's arguments do not matter here. */
export type EntityClass<Entity extends object> = abstract new (...args: never[]) => Entity
