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

/** What a {@link SchemaCodec} is made from. */
export interface SchemaCodecParts<Entity extends object> {
  /** Writes and reads the entities. */
  readonly codec: RowCodec<Entity>
  /** The schema, and what is done when a stored entity does not match it. */
  readonly rule: SchemaRule
  /** The properties by their stored names. */
  readonly properties: ReadonlyMap<string, string>
}

/**
 * A codec that checks entities against a schema: whole ones as a whole, and of merges and projections
 * what there is of them.
 */
export class SchemaCodec<Entity extends object> extends DelegatingCodec<Entity> {
  readonly #rule: SchemaRule
  readonly #properties: ReadonlyMap<string, string>

  constructor({ codec, rule, properties }: SchemaCodecParts<Entity>) {
    super(codec)
    this.#rule = rule
    this.#properties = properties
  }

  /** What the schema makes of the values is put on the object, as its ETag will be: defaults too. */
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
    // The key is that of the stored entity, whatever the schema would make of it today.
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

  /** What was read and not touched stays as it is stored, whatever the schema would make of it today. */
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
      // A default goes where there is no value, and not where the value was not selected.
      if (members[property] === undefined) return !snapshot.partial
      return isKey ? !isSameKey : !kept.has(property)
    })
    return Object.fromEntries(touched)
  }

  /** A frozen object would go on showing a key that nothing is stored under. */
  #checkSameKey(frozen: Entity, copy: Entity): void {
    const before = this.keyOf(frozen)
    const after = this.keyOf(copy)
    if (before.partitionKey === after.partitionKey && before.rowKey === after.rowKey) return
    const message = 'it makes another key of the values, and the object is frozen'
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
      // The invalid value may be a part of the key; the issues say so.
      return undefined
    }
  }
}

/** Puts values on an object or, when it is frozen, on a copy with the same snapshot. */
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
