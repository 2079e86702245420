import { type DynamicEntity, type InputError, uncheckedDynamicCodec } from '@rowkey/odata'
import { dynamicQueryModel, type QueryModel, type ScanPolicy, type TokenSeal } from '@rowkey/query'
import { checkTableName, keyCheckOf, type TableService, tableIdOf } from '@rowkey/rest'
import { DynamicCodec } from '../codec/dynamic-codec.ts'
import { dynamicShape } from '../codec/entity-shape.ts'
import { mapperInputError } from '../errors/codes.ts'
import { ModelError } from '../errors/model-error.ts'
import { type Mapping, mappingOf, oneType, type Types } from '../layers/mapping.ts'
import { typeRule } from '../model/discriminator.ts'
import type { Column, EntityModel } from '../model/entity-model.ts'
import type { UnionMember } from '../model/entity-of.ts'
import { entityKeys } from '../model/kept-rule.ts'
import type { KeptSlot } from '../model/kept-slot.ts'
import type { AccountOptions, TableOptions } from '../options/table-options.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'
import { queryModelOf } from './query-model-of.ts'
import { Rows } from './rows.ts'
import type { Within } from './within.ts'

/** Everything that a {@link Table} is made from. */
export interface TableParts<Entity extends object> {
  /** The account of the table. */
  readonly service: TableService
  /** The table's name, checked. */
  readonly name: string
  /** Identifies the table among those of all accounts. */
  readonly origin: RowOrigin
  /** The account that opened the table. */
  readonly opener?: object | undefined
  /**
   * Translates its entities.
   *
   * @internal
   */
  readonly types: Types<Entity>
  /**
   * Fixes the type of an object, whatever it looks like; absent except for a union.
   *
   * @internal
   */
  readonly assignType?: ((type: UnionMember, entity: object) => void) | undefined
  /** What queries may ask about. */
  readonly queryModel: QueryModel
  /**
   * What is kept in step with its rows; absent without a model.
   *
   * @internal
   */
  readonly kept?: KeptSlot | undefined
  /**
   * Reads its rows.
   *
   * @internal
   */
  readonly rows: Rows
  /**
   * The rows that it is restricted to; absent when it has all rows.
   *
   * @internal
   */
  readonly within?: Within | undefined
  /** How much queries may read without an opt-in. */
  readonly scans?: ScanPolicy | undefined
  /** Seals the continuation tokens of its queries; absent when they are not sealed. */
  readonly tokenSeal?: TokenSeal | undefined
}

/** All rows of a table. */
export const allRows: Rows = new Rows([])

/** The rows of a table of models. */
export const modelRows: Rows = new Rows([entityKeys])

/** Returns the rows of a table as they are stored, of any type: only those that it is restricted to. */
export function storedRows({ within }: Pick<TableParts<object>, 'within'>): Rows {
  return allRows.with(within)
}

/** Returns the parts of a table whose rows are deleted as they are stored, whatever their type is. */
export function storedParts<Entity extends object>(parts: TableParts<Entity>): TableParts<Entity> {
  const { types } = parts
  const { ofKey } = oneType(dynamicMapping as unknown as Mapping<Entity>) // their entities are never read
  const ofAny: Types<Entity> = {
    ofEntity: (entity) => types.ofEntity(entity),
    ofRow: (raw) => types.ofRow(raw),
    ofKey,
  }
  return { ...parts, types: ofAny, rows: storedRows(parts) }
}

/** The options of an account, and the account. */
interface OpenedBy extends AccountOptions {
  readonly opener?: object | undefined
}

/** Maps rows without a declared class. */
export const dynamicMapping: Mapping<DynamicEntity> = {
  codec: new DynamicCodec(),
  shape: dynamicShape,
  guard: {},
  rules: [],
}
const uncheckedMapping: Mapping<DynamicEntity> = {
  ...dynamicMapping,
  codec: new DynamicCodec(uncheckedDynamicCodec),
}

/**
 * Returns the parts of a table of a model.
 *
 * @throws {@link ModelError} when neither the model nor the options name the table
 * @throws InputError (`InvalidTableName`) for an invalid name
 * @throws InputError (`EncryptionRequired`) when encryption is required and a property would be stored in the clear
 */
export function modelParts<Entity extends object>(
  service: TableService,
  model: EntityModel<Entity>,
  options: TableOptions & OpenedBy,
): TableParts<Entity> {
  if (options.requireEncryption) checkEncrypted(model)
  const name = options.name ?? model.name
  if (name === undefined) {
    throw new ModelError({
      className: model.title,
      problem:
        "The class has no table name. Put @Entity('people') on it, or use account.table(Class, " +
        "'people').",
    })
  }
  return {
    ...commonParts(service, name, options),
    types: oneType(mappingOf(model, keyCheckOf(service.endpoint))),
    queryModel: queryModelOf(model),
    kept: model.kept,
    rows: modelRows.with(typeRule(model)).with(model.lifetime),
  }
}

/**
 * Returns the parts of a table of undeclared entities.
 *
 * @throws InputError (`InvalidTableName`) for an invalid name
 * @throws InputError (`EncryptionRequired`) when encryption is required and a property would be stored in the clear
 */
export function dynamicParts(
  service: TableService,
  name: string,
  options: OpenedBy,
): TableParts<DynamicEntity> {
  if (options.requireEncryption) throw undeclared(name)
  const isLeft = service.endpoint.unchecked?.includes('propertyNames')
  return {
    ...commonParts(service, name, options),
    types: oneType(isLeft ? uncheckedMapping : dynamicMapping),
    queryModel: dynamicQueryModel(name),
  }
}

/**
 * Returns the parts that a table has whatever its rows are.
 *
 * @throws InputError (`InvalidTableName`) for an invalid name, unless the endpoint leaves that check to the service
 */
export function commonParts(
  service: TableService,
  name: string,
  { opener, scans, continuationKeys }: OpenedBy,
): Omit<TableParts<object>, 'types' | 'queryModel'> {
  const { accountId, endpoint } = service
  if (!endpoint.unchecked?.includes('tableNames')) checkTableName(name, endpoint.flavour)
  const origin = { account: accountId, table: tableIdOf(name, endpoint) }
  const tokenSeal = continuationKeys?.tokenSeal()
  return { service, name, origin, rows: allRows, opener, scans, tokenSeal }
}

function undeclared(table: string): InputError {
  return mapperInputError({
    code: 'EncryptionRequired',
    message:
      `Table ${table} without a declared class would store its entities unencrypted, but the ` +
      'account requires encryption. Open it with a model.',
  })
}

/**
 * Checks that every stored property of a model is encrypted or explicitly plain, and that encrypted
 * properties are never read unencrypted.
 *
 * @throws InputError (`EncryptionRequired`) for the first violation
 */
export function checkEncrypted({ title, columns }: EntityModel<object>): void {
  for (const column of columns) {
    const problem = problemOf(column)
    if (problem === undefined) continue
    const { property } = column
    throw mapperInputError({
      code: 'EncryptionRequired',
      message: `${title}.${property}: ${problem}`,
      details: { property: `${title}.${property}` },
    })
  }
}

function problemOf({ encryption, plain }: Column): string | undefined {
  if (encryption?.readsPlaintext) {
    return (
      "Its encryptionKeys({ plaintext: 'read' }) accept unencrypted values, " +
      'but the account requires encryption. Remove that option.'
    )
  }
  if (encryption !== undefined || plain) return undefined
  return (
    'It is stored unencrypted, but the account requires encryption. Encrypt it with @Encrypted(keys) ' +
    'or encrypted(keys), or mark it with @Plain() or plain() as readable by everyone.'
  )
}
