import type { EntityKey } from '@rowkey/odata'
import {
  type Change,
  deleteEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import type { Made, RowCodec, Written } from '../codec/row-codec.ts'
import type { Mapping } from '../layers/mapping.ts'
import { Row } from '../member/row.ts'
import type { RowRule } from '../model/row-rule.ts'
import { targetKey } from '../rows/entity-target.ts'
import { entityError } from '../rows/error-place.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { keyOfObject, lacksStored, showMade, writePart, writeRow } from '../snapshot/object-row.ts'
import { isOfTable, type Snapshot, snapshotOf } from '../snapshot/snapshot.ts'
import { reloadsOf, type WrittenObject } from '../snapshot/written-object.ts'
import type { CheckedOperation } from './check-operation.ts'
import {
  checkCurrent,
  checkKnown,
  checkObject,
  checkSameKey,
  isLater,
  isOther,
  isSettled,
  partialEntity,
} from './check-snapshot.ts'
import { asMerge, type Creation, type Write } from './write.ts'
import { WriteClock } from './write-clock.ts'
import { begunBy, type Condition, WriteConditions } from './write-conditions.ts'

/** The table of some writes. */
interface MadeTable extends Pick<TableParts<object>, 'name' | 'origin' | 'rows'> {
  readonly service: Pick<TableService, 'now'>
}

/** Makes the writes of the entities of one type; {@link Writes} sends them. */
export class WriteMaker {
  readonly #table: MadeTable
  readonly #mapping: Mapping<object>
  readonly #codec: RowCodec<object>
  readonly #times: WriteClock
  readonly #conditions: WriteConditions

  /**
   * @param table - the table
   * @param mapping - the type
   */
  constructor(table: MadeTable, mapping: Mapping<object>) {
    this.#table = table
    this.#mapping = mapping
    this.#codec = mapping.codec
    this.#times = new WriteClock(mapping, table.service.now)
    this.#conditions = new WriteConditions(table, mapping)
  }

  /**
   * Makes the write of an operation for a batch, from its entity as it is now. An empty merge is a write, too, so that
   * the batch depends on its ETag.
   */
  inBatch({ kind, subject, etag }: CheckedOperation): Write {
    return kind === 'merge' ? this.mergeAlways(subject, etag) : this[kind](subject, etag)
  }

  /** Makes an insert. */
  insert(given: object): Write {
    const entity = this.#toEntity(given, 'insert')
    const written = this.#encoded(entity, () => {
      return writeRow(this.#codec, entity, this.#times.ofNew())
    })
    return this.#make(insertEntity, entity, written, { whole: true })
  }

  /** Makes an insertOrReplace of the whole entity. */
  insertOrReplace(given: object): Write {
    const entity = this.#toEntity(given, 'insertOrReplace')
    const now = this.#times.now()
    const { made } = this.#written(
      entity,
      (key) => {
        if (this.#conditions.known(entity, key)?.partial) throw partialEntity('insertOrReplace')
      },
      () => writeRow(this.#codec, entity, this.#times.ofUnknown(now)),
    )
    const check = this.#mapping.guard.checkReplace?.(entity)
    const creation = this.#times.creationOf(entity, now)
    return this.#make(insertOrReplaceEntity, entity, made, { whole: true, check, creation })
  }

  /** Makes an insertOrMerge of all declared properties. */
  insertOrMerge(given: object): Write {
    const entity = this.#toEntity(given, 'insertOrMerge')
    const now = this.#times.now()
    const { checked, made } = this.#written(
      entity,
      (key) =>
        this.#mapping.guard.checkMerge?.(entity, this.#conditions.known(entity, key), undefined),
      () => {
        const known =
          this.#ofTable(entity) && this.#conditions.known(entity, keyOfObject(this.#codec, entity))
        const times = this.#times.ofUnknown(now)
        return writePart(this.#codec, entity, known, { kind: 'upsert', times })
      },
    )
    const creation = this.#times.creationOf(entity, now)
    const sent = { whole: false, check: checked, creation }
    return this.#make(insertOrMergeEntity, entity, made, sent)
  }

  /** Makes a replace of the entity with the ETag. */
  replace(row: object, given: string | undefined): Write {
    const entity = this.#toEntity(row, 'replace')
    const now = this.#times.now()
    const { checked: condition, made } = this.#written(
      entity,
      (key) => {
        checkSameKey(this.#ofTable(entity), key, 'replace')
        if (this.#conditions.known(entity, key)?.partial) throw partialEntity('replace')
        return this.#conditions.of(
          'replace',
          { entity, key, given },
          ({ isOwn, etag, snapshot }) => {
            if (isOwn) checkKnown(snapshot, etag)
          },
        )
      },
      (known) => {
        const snapshot = known?.isOwn ? known.snapshot : undefined
        return writeRow(this.#codec, entity, this.#times.onto(entity, snapshot, now))
      },
    )
    const { key } = made.row
    const { isOwn, snapshot } = condition
    const isKnown = isOwn && snapshot !== undefined
    const creation = isKnown ? undefined : this.#times.creationOf(entity, now)
    const toOwn = ({ etag, snapshot: known }: Condition) => {
      const check = etag === known?.etag ? undefined : this.#mapping.guard.checkReplace?.(entity)
      const sent = { whole: true, etag, check, creation, known }
      return this.#make(updateEntity, entity, made, sent)
    }
    if (isLater(snapshot) && condition.etag === snapshot.etag) {
      return this.#toLater(entity, { key, snapshot }, condition, toOwn).write
    }
    return begunBy(condition, toOwn)
  }

  /** Makes a merge of the properties that changed; `undefined` when there is nothing to send. */
  merge(row: object, given: string | undefined): Write | undefined {
    const { isNeeded, make, changes } = this.#merge(row, given)
    if (isNeeded) return make()
    showMade(row, changes)
    return undefined
  }

  /** Works as {@link WriteMaker.merge}, but sends only the key when nothing changed. */
  mergeAlways(row: object, given: string | undefined): Write {
    return this.#merge(row, given).make()
  }

  /**
   * Makes the write that stores the current values of the object; `undefined` when nothing changed. A
   * merge cannot remove a property, so it makes a replace when a property lost its value.
   */
  modification(entity: object, etag: string | undefined): Write | undefined {
    const snapshot = snapshotOf(entity)
    const isReplaced =
      snapshot !== undefined &&
      this.#encoded(entity, () => lacksStored(this.#codec, entity, snapshot))
    return isReplaced ? this.replace(entity, etag) : this.merge(entity, etag)
  }

  /** Makes a delete of the entity with the ETag. */
  delete(target: unknown, given: string | undefined): Write {
    const key = targetKey(target, { mapping: this.#mapping, rows: this.#table.rows })
    for (const rule of this.#mapping.rules) rule.checkKey?.(key)
    const entity = Array.isArray(target) ? undefined : (target as object)
    if (entity !== undefined) checkSameKey(this.#ofTable(entity), key, 'delete')
    const condition = this.#conditions.of('delete', { entity, key, given }, () => {})
    const deletion = this.#table.rows.deletion(key, this.#times.now())
    const deleted = deletion ? Row.written(key, deletion) : undefined
    const row = deleted && this.#times.inDeletion(deleted)
    return begunBy(condition, ({ etag, snapshot: known }) => {
      const input = { table: this.#table.name, key, body: row?.text ?? '', etag }
      const object =
        entity && this.#objectOf(entity, key, { row: undefined }, { whole: true, etag, known })
      // A soft delete stores the time of the deletion; for the caller's object the row is gone.
      return { operation: row === undefined ? deleteEntity : mergeEntity, input, row, object }
    })
  }

  /** Makes a read, which must be the only part of a transaction. */
  retrieve(target: unknown): Write {
    const input = {
      table: this.#table.name,
      key: targetKey(target, { mapping: this.#mapping, rows: this.#table.rows }),
      body: '',
    }
    return { operation: retrieveEntity, input }
  }

  #merge(row: object, given: string | undefined): Merge {
    const entity = this.#toEntity(row, 'merge')
    const key = keyOfObject(this.#codec, entity)
    checkSameKey(this.#ofTable(entity), key, 'merge')
    const snapshot = this.#conditions.known(entity, key)
    const carried = () => given ?? this.#conditions.etagOf(entity, snapshot)
    if (snapshot?.other !== undefined && carried() === snapshot.etag) {
      return this.#mergeOfOther(entity, given, { key, snapshot })
    }
    // Nothing is known of a row that replaced a deleted one.
    const isGone = snapshot?.exists === 'no' && given !== undefined && given !== snapshot.etag
    const known = isGone ? undefined : snapshot
    const written = this.#encoded(entity, () => {
      const times = this.#times.onto(entity, known)
      return writePart(this.#codec, entity, known, { kind: 'merge', times })
    })
    const { names, changes } = written
    // The condition of an ETag of another version must still be checked.
    const isNeeded = names.length > 0 || !isSettled(snapshot) || isOther(carried(), snapshot)
    // A write that is made checks its key.
    if (!isNeeded) this.#table.rows.checkKey(key)
    return {
      changes,
      isNeeded,
      make: () => {
        const condition = this.#conditions.of('merge', { entity, key, given }, (own) => {
          const { etag, isOwn } = own
          if (isOwn) checkCurrent(own.snapshot, etag, { names, table: this.#table.name })
        })
        const made = { row: written.row, changes }
        return begunBy(condition, ({ etag, snapshot: current }) => {
          const check = this.#mapping.guard.checkMerge?.(entity, current, etag)
          const sent = { whole: false, etag, check, known: current }
          return this.#make(mergeEntity, entity, made, sent)
        })
      },
    }
  }

  /**
   * Replaces a row of another version: a merge would keep the number of that version, and the properties of an earlier
   * one.
   */
  #mergeOfOther(entity: object, given: string | undefined, row: KnownRow): Merge {
    if (row.snapshot.other === 'earlier') {
      return { isNeeded: true, make: () => asMerge(this.replace(entity, given)) }
    }
    const { key } = row
    const condition = this.#conditions.of('merge', { entity, key, given }, () => {})
    const { write, isNeeded } = this.#toLater(entity, row, condition, ({ etag, snapshot }, own) =>
      this.#make(mergeEntity, entity, own, { whole: false, etag, known: snapshot }),
    )
    return { isNeeded, make: () => asMerge(write) }
  }

  /**
   * Makes a replace of a row of the next version that keeps its version.
   *
   * @param toOwn - makes the write of a row that an earlier write of the object has put back to the version of the model; it gets what
   * the object has in this version
   */
  #toLater(
    entity: object,
    { snapshot }: KnownRow,
    condition: Condition,
    toOwn: (condition: Condition, own: Written) => Write,
  ): { readonly write: Write; readonly isNeeded: boolean } {
    // Only a mapping that writes rows of the next version has read one.
    const made = this.#encoded(entity, () =>
      this.#mapping.writeLater!(entity, snapshot, this.#times.onto(entity, snapshot)),
    )
    const { own, isChanged, changes } = made
    const { row, exists, doubtful } = snapshot
    const sent = { whole: true, later: { row, own }, known: snapshot }
    const write = begunBy(condition, (current) => {
      if (!isLater(current.snapshot)) return toOwn(current, { row: own, changes })
      const { etag } = current
      return this.#make(updateEntity, entity, made, { ...sent, etag })
    })
    return {
      write,
      isNeeded: isChanged || exists !== undefined || doubtful !== undefined,
    }
  }

  /** Writes an entity whose key passes a check. */
  #written<Checked>(
    entity: object,
    check: (key: EntityKey) => Checked,
    write: (checked: Checked | undefined) => Written,
  ): { readonly made: Written; readonly checked: Checked } {
    const key = this.#keyIfValid(entity)
    // The check comes first, because its message says more than that of an entity that cannot be written.
    const first = key && { checked: check(key) }
    const made = this.#encoded(entity, () => write(first?.checked))
    return { made, checked: first === undefined ? check(made.row.key) : first.checked }
  }

  #keyIfValid(entity: object): EntityKey | undefined {
    try {
      return keyOfObject(this.#codec, entity)
    } catch {
      return undefined
    }
  }

  // Each write passes here, so no object is spread into another one.
  #make(operation: Change['operation'], entity: object, made: Written, sent: Sending): Write {
    const { row } = made
    const { key, text: body } = row
    const { etag, check, creation } = sent
    this.#table.rows.checkKey(key)
    const input = { table: this.#table.name, key, body, etag }
    const object = this.#objectOf(entity, key, made, sent)
    return { operation, input, row, object, check, creation }
  }

  #objectOf(
    entity: object,
    key: EntityKey,
    { row, changes }: WrittenRow,
    { whole, etag, later, known = snapshotOf(entity) }: Sending,
  ): WrittenObject {
    const onto = etag === '*' ? undefined : etag
    return {
      origin: this.#table.origin,
      row,
      whole,
      onto,
      later,
      entity,
      key,
      known,
      changes,
      shape: this.#mapping.shape,
      reloads: reloadsOf(entity),
      outcome: {},
    }
  }

  /** Returns the object's snapshot of a row of this table, with any key. */
  #ofTable(entity: object): Snapshot | undefined {
    const snapshot = snapshotOf(entity)
    return snapshot !== undefined && isOfTable(snapshot, this.#table.origin) ? snapshot : undefined
  }

  /** A row of a query with `select` is an entity, too, with some members missing. */
  #toEntity(given: object, method: string): object {
    checkObject(given, method, this.#table.name)
    return this.#mapping.shape.toEntity?.(given) ?? given
  }

  #encoded<Result>(entity: object, encode: () => Result): Result {
    try {
      return encode()
    } catch (error) {
      throw entityError(error, { table: this.#table.name, key: this.#keyIfValid(entity) })
    }
  }
}

/** A row, and the object's snapshot of it. */
interface KnownRow {
  readonly key: EntityKey
  readonly snapshot: Snapshot
}

/** A merge, or the replace that stands for it. */
interface Merge extends Made {
  /** Whether it may change the row, compared with the object's snapshot. */
  readonly isNeeded: boolean
  /** Makes the write. */
  readonly make: () => Write
}

/** The row that a write stores; `undefined` for a delete. */
interface WrittenRow extends Made {
  readonly row: Row | undefined
}

/** How a row is sent. */
interface Sending {
  readonly whole: boolean
  readonly etag?: string | undefined
  /** What the object has in its own version, when the row is of the next one. */
  readonly later?: WrittenObject['later']
  /** What the object knows of the row; by default what it knows now. */
  readonly known?: Snapshot | undefined
  /** Checks the stored row first. */
  readonly check?: RowRule | undefined
  readonly creation?: Creation | undefined
}
