import { type EntityCodec, parseEntityObject, type RawEntity } from '@rowkey/odata'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import { membersIn } from '../members-in.ts'
import type { Drift, SchemaRule } from '../schema/schema-rule.ts'
import { DelegatingCodec } from './delegating-codec.ts'
import { keepLoadedState, loadedState } from './loaded-state.ts'

/** What a {@link SchemaCodec} is made from. */
export interface SchemaCodecParts<Entity extends object> {
  /** Writes and reads the entities. */
  readonly codec: EntityCodec<Entity>
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

  override writeShown(entity: Entity): string {
    return super.writeShown(this.#checked(entity))
  }

  override writeChanges(entity: Entity): string | undefined {
    const text = super.writeChanges(entity)
    if (text === undefined) return undefined
    const sent = Object.keys(parseEntityObject(text))
    // The key is that of the stored entity, whatever the schema would make of it today.
    const properties = sent
      .filter((name) => name !== 'PartitionKey' && name !== 'RowKey')
      .flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersIn(entity), properties)
    if ('issues' in outcome) throw this.#refuse('written', outcome.issues)
    const isSame = changedBy(entity, outcome.values).length === 0
    return isSame ? text : super.writeChanges(withValues(entity, outcome.values))
  }

  override read(raw: RawEntity, etag?: string): Entity {
    const entity = super.read(raw, etag)
    if (this.#rule.read === 'lenient') return entity
    const outcome = this.#rule.schema.check(membersIn(entity))
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  override readPart(raw: RawEntity, etag?: string): Entity {
    const entity = super.readPart(raw, etag)
    if (this.#rule.read === 'lenient') return entity
    const there = Object.keys(raw).flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersIn(entity), there)
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  #checked(entity: Entity): Entity {
    const outcome = this.#rule.schema.check(membersIn(entity))
    if ('issues' in outcome) throw this.#refuse('written', outcome.issues)
    const checked = withValues(entity, outcome.values)
    if (checked !== entity) this.#checkSameKey(entity, checked)
    return checked
  }

  /** A frozen object would go on telling a key that nothing is stored under. */
  #checkSameKey(frozen: Entity, copy: Entity): void {
    const before = this.keyOf(frozen)
    const after = this.keyOf(copy)
    if (before.partitionKey === after.partitionKey && before.rowKey === after.rowKey) return
    const message = 'it makes another key of the values, and the object is frozen'
    throw this.#refuse('written', [{ path: '', message }])
  }

  #drifted(entity: Entity, issues: readonly SchemaIssue[]): void {
    const { read, onDrift, schema } = this.#rule
    if (read === 'strict') throw this.#refuse('read', issues)
    const drift: Drift = { model: schema.title, key: this.keyOf(entity), issues }
    onDrift?.(drift)
  }

  #refuse(action: 'written' | 'read', issues: readonly SchemaIssue[]): SchemaError {
    return new SchemaError({ model: this.#rule.schema.title, action, issues })
  }
}

/** Puts values on an object, or, when that is frozen, on a copy of it of which the same is known. */
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
  const state = loadedState(entity)
  if (state !== undefined) keepLoadedState(copy, state)
  return copy
}

function changedBy(entity: object, values: Readonly<Record<string, unknown>>): [string, unknown][] {
  const members = membersIn(entity)
  return Object.entries(values).filter(([property, value]) => !Object.is(members[property], value))
}
