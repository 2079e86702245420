/**
 * Makes some members of an object what they are in another one: what that has not is taken away.
 *
 * @param members - the object
 * @param fresh - what its members are to be
 * @param names - the members, all of which can be assigned
 */
export function refreshMembers(
  members: Record<string, unknown>,
  fresh: Readonly<Record<string, unknown>>,
  names: Iterable<string>,
): void {
  for (const name of names) {
    if (name in fresh) members[name] = fresh[name]
    else delete members[name]
  }
}
