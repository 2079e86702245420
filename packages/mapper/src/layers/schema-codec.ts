import { DecodeError, type EntityKey, parseEntityObject, type RawEntity } from '@rowkey/odata'
import { DelegatingCodec } from '../codec/delegating-codec.ts'
import type { RowCodec } from '../codec/row-codec.ts'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import { membersIn } from '../model/members-in.ts'
import type { Drift, SchemaRule } from '../schema/schema-rule.ts'
import {
  keepSnapshot,
  keyOfSnapshot,
  type RowOrigin,
  type Snapshot,
  snapshotOf,
} from '../snapshot/snapshot.ts'

/** The options of a {@link SchemaCodec}. */
export interface SchemaCodecParts<Entity extends object> {
  /** Writes and reads the entities. */
  readonly codec: RowCodec<Entity>
  /** The schema, and the rule for stored entities that do not match it. */
  readonly rule: SchemaRule
  /** The properties by their stored names. */
  readonly properties: ReadonlyMap<string, string>
}

/**
 * Checks entities against a schema: whole entities as a whole, and each property of a merge or projection
 * separately.
 */
export class SchemaCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #rule: SchemaRule
  readonly #properties: ReadonlyMap<string, string>

  constructor({ codec, rule, properties }: SchemaCodecParts<Entity>) {
    super(codec)
    this.#rule = rule
    this.#properties = properties
  }

  /**
   * Assigns the output of the schema, including defaults, to the object, as a write does with the ETag.
   */
  override write(entity: Entity): string {
    return super.write(this.#checked(entity))
  }

  override writeShown(entity: Entity, snapshot: Snapshot | undefined): string {
    return super.writeShown(this.#checked(entity), snapshot)
  }

  override writeChanges(entity: Entity, snapshot: Snapshot | undefined): string | undefined {
    const text = super.writeChanges(entity, snapshot)
    if (text === undefined) return undefined
    const sent = Object.keys(parseEntityObject(text))
    // The stored entity keeps its key, even if the schema would now change it.
    const properties = sent
      .filter((name) => name !== 'PartitionKey' && name !== 'RowKey')
      .flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersIn(entity), properties)
    if ('issues' in outcome) throw this.#invalid(entity, outcome.issues)
    const values = this.#touchedOf(entity, outcome.values)
    const isSame = changedBy(entity, values).length === 0
    return isSame ? text : super.writeChanges(withValues(entity, values), snapshot)
  }

  override read(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    const entity = super.read(raw, etag, origin)
    if (this.#rule.read === 'lenient') return entity
    const outcome = this.#rule.schema.check(membersIn(entity))
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  override readPart(raw: RawEntity, etag?: string, origin?: RowOrigin): Entity {
    const entity = super.readPart(raw, etag, origin)
    if (this.#rule.read === 'lenient') return entity
    const there = Object.keys(raw).flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersIn(entity), there)
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  #checked(entity: Entity): Entity {
    const outcome = this.#rule.schema.check(membersIn(entity))
    if ('issues' in outcome) throw this.#invalid(entity, outcome.issues)
    const checked = withValues(entity, this.#touchedOf(entity, outcome.values))
    if (checked !== entity) this.#checkSameKey(entity, checked)
    return checked
  }

  /** Returns the changed values. An unchanged one stays as it is stored, even if the schema would change it. */
  #touchedOf(entity: Entity, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const snapshot = snapshotOf(entity)
    if (snapshot === undefined) return values
    const kept = new Set<string>()
    for (const name of super.untouched(entity)) kept.add(this.#properties.get(name) ?? name)
    const key = this.keyOf(entity)
    const stored = keyOfSnapshot(snapshot)
    const isSameKey = key.partitionKey === stored.partitionKey && key.rowKey === stored.rowKey
    const members = membersIn(entity)
    const columns = new Set(this.#properties.values())
    const touched = Object.entries(values).filter(([property]) => {
      const isKey = !columns.has(property)
      // A default replaces a missing value, but not a value that was not selected.
      if (members[property] === undefined) return !snapshot.partial
      return isKey ? !isSameKey : !kept.has(property)
    })
    return Object.fromEntries(touched)
  }

  /**
   * Rejects a frozen object whose key the schema changes: it would keep showing a key that is not stored.
   */
  #checkSameKey(frozen: Entity, copy: Entity): void {
    const before = this.keyOf(frozen)
    const after = this.keyOf(copy)
    if (before.partitionKey === after.partitionKey && before.rowKey === after.rowKey) return
    const message = 'it changes the key, but the object is frozen'
    throw this.#invalid(frozen, [{ path: '', message }])
  }

  #drifted(entity: Entity, issues: readonly SchemaIssue[]): void {
    const { read, onDrift, schema } = this.#rule
    const key = this.keyOf(entity)
    if (read === 'strict') {
      const { message } = new SchemaError({ model: schema.title, action: 'read', issues, key })
      throw new DecodeError({ code: 'SchemaMismatch', message, details: { ...key } })
    }
    const drift: Drift = { model: schema.title, key, issues }
    onDrift?.(drift)
  }

  #invalid(entity: Entity, issues: readonly SchemaIssue[]): SchemaError {
    const model = this.#rule.schema.title
    return new SchemaError({ model, action: 'written', issues, key: this.#keyIn(entity) })
  }

  #keyIn(entity: Entity): EntityKey | undefined {
    try {
      return this.keyOf(entity)
    } catch {
      // The invalid value may be a part of the key; the issues name it.
      return undefined
    }
  }
}

/** Assigns values to an object or, when it is frozen, to a copy with the same snapshot. */
function withValues<Entity extends object>(
  entity: Entity,
  values: Readonly<Record<string, unknown>>,
): Entity {
  const changed = changedBy(entity, values)
  if (changed.length === 0) return entity
  if (!Object.isFrozen(entity)) {
    for (const [property, value] of changed) Reflect.set(entity, property, value)
    return entity
  }
  const prototype: object | null = Object.getPrototypeOf(entity)
  const copy: Entity = Object.assign(Object.create(prototype), entity, Object.fromEntries(changed))
  const snapshot = snapshotOf(entity)
  if (snapshot !== undefined) keepSnapshot(copy, snapshot)
  return copy
}

function changedBy(entity: object, values: Readonly<Record<string, unknown>>): [string, unknown][] {
  const members = membersIn(entity)
  return Object.entries(values).filter(([property, value]) => !Object.is(members[property], value))
}
