import { type DynamicEntity, uncheckedDynamicCodec } from '@rowkey/odata'
import { dynamicQueryModel, type TokenSeal } from '@rowkey/query'
import { checkTableName, keyCheckOf, type TableService } from '@rowkey/rest'
import { DynamicCodec } from '../codec/dynamic-codec.ts'
import { tokenSeal } from '../encryption/token-seal.ts'
import { EncryptionRequiredError } from '../errors/encryption-required-error.ts'
import { ModelError } from '../errors/model-error.ts'
import { codecOf } from '../layers/codec-of.ts'
import { checkEncrypted } from '../model/check-encrypted.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { RowOrigin } from '../snapshot/snapshot.ts'
import { queryModelOf } from './read/query-model-of.ts'
import { typeFilter } from './read/type-filter.ts'
import type { AccountOptions, TableOptions } from './table-options.ts'
import type { TableParts } from './table-parts.ts'

const dynamicCodec = new DynamicCodec()
const uncheckedCodec = new DynamicCodec(uncheckedDynamicCodec)

/**
 * What a table of a model is made from.
 *
 * @throws {@link ModelError} when the model names no table, and the options name none
 * @throws InputError (`InvalidTableName`) when the service takes no such name
 * @throws {@link EncryptionRequiredError} when encryption is required, and something would be in the clear
 */
export function modelParts<Entity extends object>(
  service: TableService,
  model: EntityModel<Entity>,
  options: TableOptions & AccountOptions,
): TableParts<Entity> {
  if (options.requireEncryption) checkEncrypted(model)
  const name = options.name ?? model.name
  if (name === undefined) {
    throw new ModelError({
      className: model.title,
      problem:
        "The class names no table. Say @Entity('people') on it, or account.table(Class, " +
        "'people').",
    })
  }
  checkName(service, name)
  const { scans } = options
  const codec = codecOf(model, keyCheckOf(service.endpoint))
  return {
    service,
    name,
    origin: originOf(service, name),
    codec,
    queryModel: queryModelOf(model),
    filter: typeFilter(model),
    scans,
    tokenSeal: sealOf(options),
  }
}

/**
 * What a table of entities that nobody declared is made from.
 *
 * @throws InputError (`InvalidTableName`) when the service takes no such name
 * @throws {@link EncryptionRequiredError} when encryption is required, and something would be in the clear
 */
export function dynamicParts(
  service: TableService,
  name: string,
  options: AccountOptions,
): TableParts<DynamicEntity> {
  const { scans, requireEncryption } = options
  if (requireEncryption) throw undeclared(name)
  checkName(service, name)
  const isLeft = service.endpoint.unchecked?.includes('propertyNames')
  return {
    service,
    name,
    origin: originOf(service, name),
    codec: isLeft ? uncheckedCodec : dynamicCodec,
    queryModel: dynamicQueryModel(name),
    scans,
    tokenSeal: sealOf(options),
  }
}

/** Tells a table from those of other accounts. Table names differ by case on Cosmos alone. */
export function originOf({ accountId, endpoint }: TableService, name: string): RowOrigin {
  return { account: accountId, table: endpoint.flavour === 'cosmos' ? name : name.toLowerCase() }
}

function sealOf({ continuationKeys }: AccountOptions): TokenSeal | undefined {
  return continuationKeys && tokenSeal(continuationKeys)
}

/** Unless the service was told to leave that to what answers. */
function checkName({ endpoint }: TableService, name: string): void {
  if (!endpoint.unchecked?.includes('tableNames')) checkTableName(name)
}

function undeclared(table: string): EncryptionRequiredError {
  return new EncryptionRequiredError({
    message:
      `Entities of ${String(table)} that nobody declared would be stored in the clear, and the ` +
      'account requires encryption. Open the table with a class or a model that says what is encrypted.',
  })
}
