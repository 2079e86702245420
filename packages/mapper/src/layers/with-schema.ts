import { compareKeys, DecodeError, type EntityKey, keyOfRaw } from '@rowkey/odata'
import { type Choose, type OriginalRow, over, type RowCodec } from '../codec/row-codec.ts'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { type Members, membersIn } from '../model/members-in.ts'
import type { SchemaOutcome } from '../schema/entity-schema.ts'

/**
 * Checks entities against the schema of a model: whole entities as a whole, and each property of a merge or projection
 * separately. A write assigns the output of the schema, including defaults, to the object, as it does with the ETag.
 *
 * @param codec - writes and reads the entities
 * @param model - the model; without a schema, the codec stays as it is
 */
export function withSchema<Entity extends object>(
  codec: RowCodec<Entity>,
  { schema: rule, columns }: EntityModel<object>,
): RowCodec<Entity> {
  if (rule === undefined) return codec
  const { schema, read: readRule, onDrift } = rule
  const properties = new Map(columns.map(({ name, property }) => [name, property]))
  const stored = new Set(properties.values())

  return over(codec, {
    write(entity, draft) {
      const values = accepted(entity, schema.check(membersIn(entity)))
      const checked = withValues(entity, changesOf(entity, values, draft.from))
      // A frozen object would keep showing a key that is not stored.
      if (checked !== entity && compareKeys(codec.keyOf(entity), codec.keyOf(checked)) !== 0) {
        const message = 'it changes the key, but the object is frozen'
        accepted(entity, { issues: [{ path: '', message }] })
      }
      return codec.write(checked, draft)
    },

    writeChanges(entity, from, choose) {
      const sent: string[] = []
      codec.writeChanges(entity, from, (property, ...values) => {
        if (choose(property, ...values)) sent.push(property.name)
        return false
      })
      if (sent.length === 0) return undefined
      const members = membersIn(entity)
      const values = accepted(entity, schema.checkPart(members, propertiesOf(sent)))
      if (from?.partial === false && readRule === 'strict') {
        const whole = schema.check(members)
        // Each value is valid, and still the next read would reject the row.
        if (
          'issues' in whole &&
          !('issues' in schema.checkPart(members, schema.properties.keys()))
        ) {
          accepted(entity, whole)
        }
      }
      const changes = changesOf(entity, values, from)
      return codec.writeChanges(withValues(entity, changes), from, choose)
    },

    read(raw, etag, isPart) {
      const row = codec.read(raw, etag, isPart)
      if (readRule === 'lenient') return row
      const members = membersIn(row.entity)
      const outcome = isPart
        ? schema.checkPart(members, propertiesOf(Object.keys(raw)))
        : schema.check(members)
      if ('issues' in outcome) drifted(keyOfRaw(raw), outcome.issues)
      return row
    },
  })

  function propertiesOf(names: readonly string[]): readonly string[] {
    return names.flatMap((name) => properties.get(name) ?? [])
  }

  /** Returns what the schema changes. An untouched value stays as it is stored. */
  function changesOf(
    entity: Entity,
    values: Readonly<Members>,
    from: OriginalRow | undefined,
  ): readonly Change[] {
    const members = membersIn(entity)
    const changes = Object.entries(values).filter(
      ([name, value]) => !Object.is(members[name], value),
    )
    if (from === undefined || changes.length === 0) return changes
    const untouched = new Set(propertiesOf(untouchedIn(codec, entity, from)))
    const isSameKey = compareKeys(codec.keyOf(entity), keyOfRaw(from.row)) === 0
    return changes.filter(([property]) => {
      // A default replaces a missing value, but not a value that was not selected.
      if (members[property] === undefined) return !from.partial
      return stored.has(property) ? !untouched.has(property) : !isSameKey
    })
  }

  function drifted(key: EntityKey, issues: readonly SchemaIssue[]): void {
    if (readRule === 'strict') {
      const { message } = new SchemaError({ model: schema.title, action: 'read', issues, key })
      throw new DecodeError({ code: 'SchemaMismatch', message, details: { ...key } })
    }
    const reported: unknown = onDrift?.({ model: schema.title, key, issues })
    // A read does not wait for a report, and its rejection must not end the process.
    Promise.resolve(reported).catch(() => {})
  }

  /** Returns the values that the schema accepted, or throws its issues. */
  function accepted(entity: Entity, outcome: SchemaOutcome): Readonly<Members> {
    if (!('issues' in outcome)) return outcome.values
    const { issues } = outcome
    let key: EntityKey | undefined
    try {
      key = codec.keyOf(entity)
    } catch {
      // The invalid value may be a part of the key; the issues name it.
    }
    throw new SchemaError({ model: schema.title, action: 'written', issues, key })
  }
}

/** Returns the stored names of the properties that the caller has not touched since the row was known. */
function untouchedIn<Entity extends object>(
  codec: RowCodec<Entity>,
  entity: Entity,
  from: OriginalRow,
): readonly string[] {
  const names: string[] = []
  const collect: Choose = ({ name }, change, stored) => {
    const isSame = change === '' || (stored === undefined && change === undefined)
    const isInitial = stored === undefined && change === from.initial?.get(name)
    if (isSame || isInitial) names.push(name)
    return false
  }
  codec.writeChanges(entity, from, collect)
  return names
}

/** A property and its new value. */
type Change = readonly [property: string, value: unknown]

/** Changes an object or, when it is frozen, a copy. */
function withValues<Entity extends object>(entity: Entity, changes: readonly Change[]): Entity {
  if (changes.length === 0) return entity
  if (!Object.isFrozen(entity)) {
    for (const [property, value] of changes) Reflect.set(entity, property, value)
    return entity
  }
  const prototype: object | null = Object.getPrototypeOf(entity)
  return Object.assign(Object.create(prototype), entity, Object.fromEntries(changes))
}
