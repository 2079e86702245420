import type { EntityKey, RawEntity } from '@rowkey/odata'
import type {
  Call,
  EntitiesPage,
  EntitiesQuery,
  EntityRead,
  ReadResult,
  WriteResult,
} from '@rowkey/rest'
import { ModelError } from '../errors/model-error.ts'
import type { KeyCodec } from '../keys/key-codec.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { Discriminator } from './discriminator.ts'

/** The parts of a model that decide which rows are live. */
export interface LifetimeSubject {
  /** The name of the model, for messages. */
  readonly title: string
  /** Its stored properties. */
  readonly columns: readonly {
    /** The property in the class or schema. */
    readonly property: string
    /** The stored name. */
    readonly name: string
    /** The Edm type. */
    readonly type: string | undefined
    /** Present when it is encrypted. */
    readonly encryption?: object | undefined
    /** Present when it is converted. */
    readonly converter?: object | undefined
  }[]
  /** The template of the PartitionKey. */
  readonly partitionKey: KeyCodec
  /** The template of the RowKey. */
  readonly rowKey: KeyCodec
  /** The keys that sign its entities. */
  readonly signing?: SigningKeys | undefined
  /** The property that tells its rows from those of other models. */
  readonly discriminator?: Discriminator | undefined
}

/** Which properties of a model say that a row has expired or is deleted, from `lifetime`. */
export interface Lifetime<Name extends string = string> {
  /** The names of these properties. */
  readonly properties: readonly Name[]
  /**
   * Checks a model, and binds the properties to their stored names.
   *
   * @throws ModelError for a property that is not stored as a plain DateTime
   */
  bind(model: LifetimeSubject): RowLifetime
}

/** Decides which rows of a model are live. Times are milliseconds since 1970. */
export interface RowLifetime {
  /** The stored names that it reads. */
  readonly names: readonly string[]
  /** The property with the time of the deletion; absent when deletes are final. */
  readonly deletedAt?: string | undefined
  /** Tells whether reads leave out a row. */
  isHidden(raw: RawEntity, now: number): boolean
  /** Tells whether the time of a row has passed. */
  isExpired(raw: RawEntity, now: number): boolean
  /** Tells whether a row of the model expired or was deleted at a time, or before. */
  isDue(raw: RawEntity, until: number): boolean
  /** Returns the condition of queries on live rows. */
  liveFilter(now: number): string
  /** Returns the condition of queries on rows that are due. */
  dueFilter(until: number): string
  /** Returns the body of the merge that deletes a row; absent when deletes are final. */
  deletion?(key: EntityKey, now: number): string
  /**
   * Reads only live rows.
   *
   * @internal
   */
  readonly reads: RowReads
  /**
   * Checks that a hidden row may be replaced.
   *
   * @throws EntityAlreadyExistsError for a row of another type, and for one that is deleted softly, which can be restored
   * @internal
   */
  checkExpired(raw: RawEntity, row: EntityRead, now: number): void
  /**
   * Inserts an entity, also over an expired row.
   *
   * @internal
   */
  insert(insert: LiveInsert, call: Call): Promise<WriteResult>
}

/** Reads rows of a table from the service. */
export interface RowReads {
  /** Reads a row if it exists. */
  find(call: Call, input: EntityRead): Promise<ReadResult | undefined>
  /**
   * Reads a row.
   *
   * @throws EntityNotFoundError when it does not exist
   */
  get(call: Call, input: EntityRead): Promise<ReadResult>
  /** Reads a page of a query. */
  page(call: Call, input: EntitiesQuery): Promise<EntitiesPage>
}

/** An insert of an entity, which may replace an expired row. */
export interface LiveInsert {
  readonly input: EntityRead
  /** Sends the insert. */
  send(call: Call): Promise<WriteResult>
  /** Replaces the row with this ETag instead. */
  replace(etag: string, call: Call): Promise<WriteResult>
}

/**
 * Binds the lifetime of a model, if it has one.
 *
 * @throws ModelError for a value that `lifetime` did not return
 */
export function bindLifetime(
  lifetime: Lifetime | undefined,
  model: LifetimeSubject,
): RowLifetime | undefined {
  if (lifetime === undefined) return undefined
  // A function has a bind of its own: lifetime without its call.
  if (typeof lifetime === 'object' && typeof lifetime?.bind === 'function')
    return lifetime.bind(model)
  throw new ModelError({
    className: model.title,
    problem:
      "The option lifetime must be a result of the function lifetime: lifetime({ expiresAt: 'expiresOn' }).",
  })
}
