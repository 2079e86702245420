import { dynamicEntityCodec } from '@rowkey/odata'
import { type EntityResolver, type QueryModel, queryOf, resolveEntity } from '@rowkey/query'
import type { EntityRead, ReadResult } from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { type EntityTarget, targetKey } from '../entity-target.ts'
import type { TableParts } from '../table-parts.ts'
import type { RowReader } from './row-reader.ts'

/** Makes the point reads of one table, and entities of what they find. */
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
   * What a read needs.
   *
   * @param target - which entity
   * @param select - the properties to read; all when absent
   * @throws InputError (`InvalidEntityKey`) when the target names none
   * @throws InputError with the code `InvalidQuery` for a property that is not stored, and without a property
   */
  input(target: EntityTarget | object, select: readonly string[] | undefined): EntityRead {
    const read = { table: this.#table, key: targetKey(target, this.#codec) }
    if (select === undefined) return read
    // Checked by the query: none is an error there.
    const names = select as readonly [string, ...string[]]
    return {
      ...read,
      select: queryOf(this.#queryModel)
        .select(...names)
        .explain().select,
    }
  }

  /**
   * The entity that a read found.
   *
   * @param found - what it found
   * @param read - what was asked for
   */
  entity({ raw, etag }: ReadResult, { select }: EntityRead): Entity {
    const rows = this.#rows
    return select === undefined ? rows.read(raw, etag) : rows.readPart(raw, etag)
  }

  /**
   * What a resolver makes of what a read found; without a resolver, the entity.
   *
   * @param found - what it found
   * @param read - what was asked for
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
