import { evaluateFilter, type FilterNode, type PropertyLookup, usesIn } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'
import { membersIn, propertyIn, type StoredProperty } from '../entity/entity-text.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'

/** A filter for rows. */
export interface RowFilter {
  /** How many tests of properties one row needs at most. */
  readonly tests: number
  /** Tells whether a row matches. */
  matches(row: StoredEntity): boolean
}

/** With more properties than this, a row is read once as a whole, and not once for each. */
const FEW = 8

/**
 * Makes a filter for rows. It reads a row once, whatever the number of its tests.
 *
 * @param filter - the tree; every row matches without one
 * @param flavour - on Cosmos DB, no row matches a condition on its Timestamp
 */
export function rowFilter(filter: FilterNode | undefined, flavour: Flavour | undefined): RowFilter {
  if (filter === undefined) return { tests: 0, matches: () => true }
  const uses = Array.from(usesIn(filter))
  const names = new Set(uses.flatMap(({ test }) => test?.property ?? []))
  if (flavour === 'cosmos') names.delete('Timestamp')
  const read = names.size > FEW ? readWhole : uses.length > names.size ? readOnce : readEach
  return {
    tests: uses.length,
    matches: (row) => evaluateFilter(filter, read(row, names)),
  }
}

type Names = ReadonlySet<string>

function readEach(row: StoredEntity, names: Names): PropertyLookup {
  return (name) => (names.has(name) ? row.property(name) : undefined)
}

function readOnce(row: StoredEntity, names: Names): PropertyLookup {
  const known = new Map<string, StoredProperty | undefined>()
  return (name) => {
    if (!known.has(name)) known.set(name, names.has(name) ? row.property(name) : undefined)
    return known.get(name)
  }
}

function readWhole(row: StoredEntity, names: Names): PropertyLookup {
  const members = membersIn(row.text).filter(({ name }) => names.has(name))
  const found = new Map(members.map((member) => [member.name, propertyIn(member)]))
  // Nothing in the text annotates it.
  if (found.has('Timestamp')) found.set('Timestamp', { type: 'DateTime', value: row.timestamp })
  return (name) => found.get(name)
}
