import {
  type EntityCodec,
  type EntityKey,
  parseEntityJson,
  type RawEntity,
  type SentBody,
} from '@rowkey/odata'
import { SchemaError, type SchemaIssue } from '../errors/schema-error.ts'
import type { Drift, SchemaRule } from '../schema/schema-rule.ts'
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
export class SchemaCodec<Entity extends object> implements EntityCodec<Entity> {
  readonly #codec: EntityCodec<Entity>
  readonly #rule: SchemaRule
  readonly #properties: ReadonlyMap<string, string>

  constructor({ codec, rule, properties }: SchemaCodecParts<Entity>) {
    this.#codec = codec
    this.#rule = rule
    this.#properties = properties
  }

  keyOf(entity: Entity): EntityKey {
    return this.#codec.keyOf(entity)
  }

  etagOf(entity: Entity): string | undefined {
    return this.#codec.etagOf(entity)
  }

  /** What the schema makes of the values is put on the object, as its ETag will be: defaults too. */
  write(entity: Entity): string {
    const outcome = this.#rule.schema.check(membersOf(entity))
    if ('issues' in outcome) throw this.#refuse('written', outcome.issues)
    return this.#codec.write(withValues(entity, outcome.values))
  }

  writeChanges(entity: Entity): string | undefined {
    const text = this.#codec.writeChanges(entity)
    if (text === undefined) return undefined
    const sent = Object.keys(parseEntityJson(text) as RawEntity) // the codec wrote one JSON object
    const properties = sent.flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersOf(entity), properties)
    if ('issues' in outcome) throw this.#refuse('written', outcome.issues)
    const isSame = changedBy(entity, outcome.values).length === 0
    return isSame ? text : this.#codec.writeChanges(withValues(entity, outcome.values))
  }

  read(raw: RawEntity, etag?: string): Entity {
    const entity = this.#codec.read(raw, etag)
    if (this.#rule.read === 'lenient') return entity
    const outcome = this.#rule.schema.check(membersOf(entity))
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  readPart(raw: RawEntity, etag?: string): Entity {
    const entity = this.#codec.readPart(raw, etag)
    if (this.#rule.read === 'lenient') return entity
    const there = Object.keys(raw).flatMap((name) => this.#properties.get(name) ?? [])
    const outcome = this.#rule.schema.checkPart(membersOf(entity), there)
    if ('issues' in outcome) this.#drifted(entity, outcome.issues)
    return entity
  }

  reveal(raw: RawEntity): RawEntity {
    return this.#codec.reveal?.(raw) ?? raw
  }

  isPart(entity: Entity): boolean {
    return this.#codec.isPart(entity)
  }

  storedKeyOf(entity: Entity): EntityKey | undefined {
    return this.#codec.storedKeyOf(entity)
  }

  lacksStored(entity: Entity): boolean {
    return this.#codec.lacksStored(entity)
  }

  refresh(entity: Entity, fresh: Entity): void {
    this.#codec.refresh(entity, fresh)
  }

  written(entity: Entity, etag: string | undefined, sent?: SentBody): void {
    this.#codec.written(entity, etag, sent)
  }

  forget(entity: Entity, sent?: SentBody): void {
    this.#codec.forget(entity, sent)
  }

  #drifted(entity: Entity, issues: readonly SchemaIssue[]): void {
    const { read, onDrift, schema } = this.#rule
    if (read === 'strict') throw this.#refuse('read', issues)
    const drift: Drift = { model: schema.title, key: this.#codec.keyOf(entity), issues }
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
  const members = membersOf(entity)
  return Object.entries(values).filter(([property, value]) => !Object.is(members[property], value))
}

function membersOf(entity: object): Readonly<Record<string, unknown>> {
  return entity as Readonly<Record<string, unknown>> // every object has them
}
