import {
  checkEntityKey,
  type EntityCodec,
  type EntityKey,
  type KeyCheck,
  parseDateTime,
  type RawEntity,
  type SentBody,
  timestampOfEtag,
} from '@rowkey/odata'
import { storedNames } from '../chunk/chunk-names.ts'
import { marksOf } from '../marks/marks-of.ts'
import type { Members } from '../members-in.ts'
import type { EntityModel } from '../model/entity-model.ts'
import { assignColumns } from './assign-columns.ts'
import { checkDeclared } from './check-declared.ts'
import { type ColumnCodec, columnCodec } from './column-codec.ts'
import { KeyHalves, openWithKey } from './key-halves.ts'
import { lacksStored } from './lacks-stored.ts'
import { keepLoadedState, loadedRaw, loadedState } from './loaded-state.ts'
import { membersOf } from './members-of.ts'
import { keyOfRaw } from './read-column.ts'
import { refreshMembers } from './refresh-members.ts'
import { revealedRaw } from './revealed-raw.ts'
import { changedMember, partMember, wholeMember } from './sent-member.ts'
import { stateAfter, stateInDoubt } from './state-after.ts'
import { undeclaredMembers } from './undeclared-members.ts'

/** The codec of one mapped class: everything that can be known before the first entity is. */
export class ClassCodec<Entity extends object> implements EntityCodec<Entity> {
  readonly #model: EntityModel<Entity>
  readonly #keys: KeyHalves
  readonly #columns: readonly ColumnCodec[]
  readonly #members: ReadonlySet<string>
  readonly #storedNames: ReadonlySet<string>
  readonly #computed: ReadonlySet<string>
  readonly #assigned: readonly string[]

  constructor(model: EntityModel<Entity>, checkKey: KeyCheck = checkEntityKey) {
    const { partitionKey, rowKey, etag, timestamp, columns, ignored } = model
    const signature = model.signing === undefined ? [] : [model.signing.property]
    const properties = columns.map((column) => column.property)
    const marks = marksOf(model).map(({ name }) => name)
    const names = [...columns.flatMap(storedNames), ...marks]
    const keys = [...partitionKey.properties, ...rowKey.properties]
    const own = [...keys, etag, timestamp].filter((member) => member !== undefined)
    this.#model = model
    this.#keys = new KeyHalves(model, checkKey)
    this.#computed = new Set(model.computed)
    this.#assigned = [...own, ...properties].filter((member) => !this.#computed.has(member))
    this.#columns = columns.map((column) => columnCodec(model, column))
    this.#members = new Set([...own, ...properties, ...ignored])
    this.#storedNames = new Set(['PartitionKey', 'RowKey', 'Timestamp', ...names, ...signature])
  }

  keyOf(entity: Entity): EntityKey {
    return this.#keys.write(membersOf(this.#model, entity))
  }

  etagOf(entity: Entity): string | undefined {
    const { etag } = this.#model
    const members = membersOf(this.#model, entity)
    if (etag === undefined) return loadedState(entity)?.etag
    // The member, when there is one, is the caller's to change.
    const carried = members[etag]
    return typeof carried === 'string' ? carried : undefined
  }

  write(entity: Entity): string {
    const shown = this.writeShown(entity)
    const raw = loadedRaw(entity)
    const undeclared = raw === undefined ? '' : undeclaredMembers(raw, this.#storedNames)
    return undeclared === '' ? shown : `${shown.slice(0, -1)}${undeclared}}`
  }

  writeShown(entity: Entity): string {
    const members = membersOf(this.#model, entity)
    checkDeclared(this.#model, members, this.#members)
    const raw = loadedRaw(entity)
    const key = this.keyOf(entity)
    let text = openWithKey(key)
    const sent = { members, key, raw }
    const state = loadedState(entity)
    for (const column of this.#columns) {
      text += state?.projected ? partMember(column, sent, state) : wholeMember(column, sent)
    }
    return `${text}}`
  }

  writeChanges(entity: Entity): string | undefined {
    const members = membersOf(this.#model, entity)
    checkDeclared(this.#model, members, this.#members)
    const raw = loadedRaw(entity)
    const state = loadedState(entity)
    if (raw === undefined || state === undefined) return this.write(entity)
    const key = this.keyOf(entity)
    const sent = { members, key, raw }
    let changes = ''
    for (const column of this.#columns) {
      // What is computed from members that were not read is wrong.
      if (state.projected && column.computed) continue
      changes += changedMember(column, sent, state)
    }
    return changes === '' ? undefined : `${openWithKey(key)}${changes}}`
  }

  read(raw: RawEntity, etag?: string): Entity {
    const entity = this.#model.create()
    const members = membersOf(this.#model, entity)
    this.#keys.read(members, raw)
    const defaults = assignColumns(this.#columns, members, raw)
    const inRow = raw['odata.etag']
    const current = typeof inRow === 'string' ? inRow : etag
    this.#assign(members, this.#model.etag, current)
    this.#assignTimestamp(members, raw.Timestamp)
    keepLoadedState(entity, { raw, etag: current, projected: false, defaults })
    return entity
  }

  readPart(raw: RawEntity, etag?: string): Entity {
    const entity = this.read(raw, etag)
    keepLoadedState(entity, { raw, etag, ...loadedState(entity), projected: true })
    return entity
  }

  reveal(raw: RawEntity): RawEntity {
    return revealedRaw(this.#columns, raw)
  }

  isPart(entity: Entity): boolean {
    return loadedState(entity)?.projected === true
  }

  hasUnread(entity: Entity): boolean {
    return loadedState(entity)?.unread === 'since'
  }

  storedKeyOf(entity: Entity): EntityKey | undefined {
    const raw = loadedRaw(entity)
    // A codec wrote it, or a service that is held to strings; a projection holds the keys too.
    return raw && keyOfRaw(raw)
  }

  lacksStored(entity: Entity): boolean {
    const raw = this.isPart(entity) ? undefined : loadedRaw(entity)
    return raw !== undefined && lacksStored(this.#columns, membersOf(this.#model, entity), raw)
  }

  refresh(entity: Entity, fresh: Entity): void {
    refreshMembers(membersOf(this.#model, entity), membersOf(this.#model, fresh), this.#assigned)
    const state = loadedState(fresh)
    if (state !== undefined) keepLoadedState(entity, state)
  }

  written(entity: Entity, etag: string | undefined, sent?: SentBody): void {
    const members = membersOf(this.#model, entity)
    const { etag: etagMember, timestamp } = this.#model
    this.#offer(members, etagMember, etag)
    if (timestamp !== undefined && etag !== undefined) {
      const modified = timestampOfEtag(etag)
      if (modified !== undefined) this.#offer(members, timestamp, modified)
    }
    keepLoadedState(entity, stateAfter(entity, etag, sent))
  }

  forget(entity: Entity, sent?: SentBody): void {
    const doubtful = stateInDoubt(entity, this.#storedNames, sent)
    if (doubtful !== undefined) keepLoadedState(entity, doubtful)
  }

  /**
   * Assigns a member that the model has and that can be assigned, unless there is nothing to
   * assign.
   */
  #assign(members: Members, member: string | undefined, value: unknown): void {
    if (member === undefined || value === undefined || this.#computed.has(member)) return
    members[member] = value
  }

  /** Assigns, unless the object is frozen: a write that succeeded must not throw for that. */
  #offer(members: Members, member: string | undefined, value: unknown): void {
    if (member === undefined || this.#computed.has(member)) return
    Reflect.set(members, member, value)
  }

  #assignTimestamp(members: Members, json: unknown): void {
    if (this.#model.timestamp === undefined || typeof json !== 'string') return
    this.#assign(members, this.#model.timestamp, parseDateTime(json))
  }
}
