/** The members of an object by name; every object has them. */
export type Members = Record<string, unknown>

/** An object as the members that it has. */
export function membersIn(object: object): Members {
  return object as Members // whatever it is, its members can be asked for by name
}
