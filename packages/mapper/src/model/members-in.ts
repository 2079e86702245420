/** The members of an object by name. */
export type Members = Record<string, unknown>

/** Returns an object as its members. */
export function membersIn(object: object): Members {
  return object as Members // every object has members by name
}

/** Shows a value that was read in place of a getter, which would compute it from members that were not read. */
export function showInPlace(object: object, getter: string, value: unknown): void {
  Reflect.defineProperty(object, getter, { value, configurable: true })
}
