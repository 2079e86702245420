import type { EntityModel, KeyCodec } from '@rowkey/mapper'

/** What is derived from the rows of a model: an index, a summary or copies. */
export interface Derived {
  /** What messages call it. */
  readonly kind: 'index' | 'summary' | 'copies'
  /** The name that the caller gave. */
  readonly name: string
  /** The model of the rows. */
  readonly model: EntityModel<object>
  /** The name in the catalogue: its kind, its name and its fingerprint. */
  readonly id: string
  /** The table of its rows, when it is another than that of the entities. */
  readonly table?: string | undefined
}

/** Everything in a declaration that the derived rows depend on. */
export interface Declaration {
  /** The templates of their keys. */
  readonly keys: readonly KeyCodec[]
  /** The properties of the entities that they follow from. */
  readonly properties: readonly string[]
  /** The names of those that they show: projected, summed or copied. */
  readonly shown?: readonly string[] | undefined
  readonly unique?: boolean | undefined
  readonly where?: object | undefined
  readonly revision?: number | undefined
  readonly sameSince?: number | undefined
  /** The table of the derived rows, when it is another. */
  readonly table?: string | undefined
}

/**
 * Returns the fingerprint of a declaration: 8 hexadecimal digits. Equal ones give equal rows, unless a `where` or a converter differs and the
 * `revision` does not. A later version of a model may read other values from the same rows, so the version is a part, if it is not the
 * `sameSince`.
 */
export function fingerprintOf(model: EntityModel<object>, declaration: Declaration): string {
  const { keys, properties, shown = [], where, table, sameSince } = declaration
  const { unique = false, revision = 1 } = declaration
  const templates = keys.map(({ segments }) =>
    segments.map((each) => (typeof each === 'string' ? each : [each.text])),
  )
  const types = model.columns
    .filter(({ property }) => properties.includes(property))
    .map(({ property, type = '' }) => [property, type])
  const { number = 1 } = model.version ?? {}
  // A count of all entities is the same whatever a migration does.
  const version = properties.length === 0 && where === undefined ? 0 : (sameSince ?? number)
  const parts = [templates, types, shown, unique, where !== undefined, revision, version, table]
  return hashOf(JSON.stringify(parts)).toString(16).padStart(8, '0')
}

/** Names a definition in messages: `index email of Employee`. */
export function titleOf({ kind, name, model }: Derived): string {
  return `${kind} ${name} of ${model.title}`
}

/** Returns the FNV-1a hash of a text: a whole number from 0 up to but not including 2³². */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  // The low bits of this hash alone are spread badly.
  hash ^= hash >>> 16
  return hash >>> 0
}
