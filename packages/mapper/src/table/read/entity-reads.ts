import { dynamicEntityCodec } from '@rowkey/odata'
import { type EntityResolver, type QueryModel, queryOf, resolveEntity } from '@rowkey/query'
import type { EntityRead, ReadResult } from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { type EntityTarget, targetKey } from '../entity-target.ts'
import type { TableParts } from '../table-parts.ts'
import type { RowReader } from './row-reader.ts'

/** Makes the point reads of one table, and entities of their results. */
export class EntityReads<Entity extends object> {
  readonly #table: string
  readonly #codec: RowCodec<Entity>
  readonly #rows: RowReader<Entity>
  readonly #queryModel: QueryModel

  /**
   * @param parts - the table
   * @param rows - reads its rows
   */
  constructor({ name, codec, queryModel }: TableParts<Entity>, rows: RowReader<Entity>) {
    this.#table = name
    this.#codec = codec
    this.#rows = rows
    this.#queryModel = queryModel
  }

  /**
   * Makes the input of a read.
   *
   * @param target - the entity
   * @param select - the properties to read; all when absent
   * @throws InputError (`InvalidEntityKey`) when the target does not name an entity
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a
   * property
   */
  input(target: EntityTarget | object, select: readonly string[] | undefined): EntityRead {
    const read = { table: this.#table, key: targetKey(target, this.#codec) }
    if (select === undefined) return read
    // The query rejects an empty list.
    const names = select as readonly [string, ...string[]]
    return {
      ...read,
      select: queryOf(this.#queryModel)
        .select(...names)
        .explain().select,
    }
  }

  /**
   * Returns the entity that a read found.
   *
   * @param found - the result of the read
   * @param read - the input of the read
   */
  entity({ raw, etag }: ReadResult, { select }: EntityRead): Entity {
    const rows = this.#rows
    return select === undefined ? rows.read(raw, etag) : rows.readPart(raw, etag)
  }

  /**
   * Returns the result of a resolver, or the entity without a resolver.
   *
   * @param found - the result of the read
   * @param read - the input of the read
   * @throws DecodeError with the code `ResolverFailed` when the resolver throws
   */
  result<Result>(
    found: ReadResult,
    read: EntityRead,
    resolver: EntityResolver<Result> | undefined,
  ): Entity | Result {
    if (resolver === undefined) return this.entity(found, read)
    const raw = this.#rows.reveal(found.raw)
    const entity = dynamicEntityCodec.read(raw, found.etag)
    return resolveEntity(resolver, entity, this.#queryModel.name, this.#table)
  }
}
