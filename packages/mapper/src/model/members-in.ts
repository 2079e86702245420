/** The members of an object by name. */
export type Members = Record<string, unknown>

/** Returns an object as its members. */
export function membersIn(object: object): Members {
  return object as Members // every object has members by name
}
