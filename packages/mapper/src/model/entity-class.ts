/** A class of entities, with any constructor. */
export type EntityClass<Entity extends object> = abstract new (...args: never[]) => Entity

/**
 * The same type, which the compiler takes from other arguments: `NoInfer` for TypeScript before 5.4.
 *
 * @internal
 */
export type NotInferred<Type> = [Type][Type extends unknown ? 0 : never]
