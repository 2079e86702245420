/** A class of entities, with any constructor. */
export type EntityClass<Entity extends object> = abstract new (...args: never[]) => Entity
