import { createHmac, timingSafeEqual } from 'node:crypto'
import type { EntityKey } from '@rowkey/odata'
import { entitiesDecodeError, entitiesInputError } from '../errors/codes.ts'
import type { Row } from '../types/base-type.ts'
import type { Definition, Properties, RowSetup } from './definition.ts'

/**
 * Signs properties with HMAC-SHA-512, in the order of their names. For each property it signs the length of
 * the name (32 bits, big-endian), the name, the length of the hashed value and the hashed value.
 *
 * @param definition - the version of the properties
 * @param properties - their values
 * @param signingKey - the key, as UTF-8
 */
function signatureOf({ mapping }: Definition, properties: Properties, signingKey: string): Buffer {
  const hmac = createHmac('sha512', signingKey)
  const inOrder = Object.entries(mapping).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, type] of inOrder) {
    for (const part of [name, type.hash(properties[name])]) {
      const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      hmac.update(length).update(bytes)
    }
  }
  return hmac.digest()
}

/**
 * Verifies the signature of a row.
 *
 * @param row - the row
 * @param expected - the signature of its properties
 * @throws DecodeError (`SignatureMismatch`) when the row has another signature, or has none
 */
function verifySignature(row: Row, expected: Buffer): void {
  const stored =
    typeof row.Signature === 'string' ? Buffer.from(row.Signature, 'base64') : undefined
  if (stored?.length === expected.length && timingSafeEqual(stored, expected)) return
  throw entitiesDecodeError(
    'SignatureMismatch',
    'Signature validation failed: the row was changed by someone without the signingKey, or signed with another key.',
  )
}

/**
 * Writes all properties as a row, with its keys, version and signature.
 *
 * @throws InputError for a value that its property cannot hold, and for a missing part of the key
 */
export function toRow(definition: Definition, properties: Properties, setup: RowSetup): Row {
  const row: Row = {
    PartitionKey: definition.partitionKey.exact(properties),
    RowKey: definition.rowKey.exact(properties),
    Version: definition.version,
  }
  for (const [name, type] of Object.entries(definition.mapping)) {
    type.serialize(row, properties[name], setup.cryptoKey)
  }
  sign(row, definition, properties, setup)
  return row
}

/**
 * Writes the properties that changed, and the signature of all; `undefined` when nothing changed.
 */
export function toChanges(
  definition: Definition,
  before: Properties,
  after: Properties,
  setup: RowSetup,
): Row | undefined {
  const row: Row = {}
  for (const [name, type] of Object.entries(definition.mapping)) {
    if (!type.equal(before[name], after[name])) type.serialize(row, after[name], setup.cryptoKey)
  }
  if (Object.keys(row).length === 0) return undefined
  sign(row, definition, after, setup)
  return row
}

function sign(row: Row, definition: Definition, properties: Properties, setup: RowSetup): void {
  if (!definition.signs) return
  row['Signature@odata.type'] = 'Edm.Binary'
  row.Signature = signatureOf(definition, properties, signingKeyOf(setup)).toString('base64')
}

function signingKeyOf({ signingKey }: RowSetup): string {
  if (signingKey !== undefined) return signingKey
  throw entitiesInputError('InvalidSetup', 'Signed entities need a signingKey. Pass it to setup.')
}

/**
 * Reads the properties of a row. A row of an older version is read as that version and migrated.
 *
 * @throws DecodeError when the row does not fit, or its signature is wrong
 */
function fromRow(definition: Definition, row: Row, setup: RowSetup): Properties {
  const version = row.Version
  if (typeof version === 'number' && version > 0) {
    if (version === definition.version) return readRow(definition, row, setup)
    const { previous } = definition
    if (previous && version <= previous.version) return migrated(definition, previous, row, setup)
  }
  throw entitiesDecodeError(
    'UnreadableVersion',
    `The row has the version ${String(version)}, but version ${definition.version} is configured. Configure the newer version.`,
    typeof version === 'number' ? { storedVersion: version } : {},
  )
}

function readRow(definition: Definition, row: Row, setup: RowSetup): Properties {
  const properties: Properties = {}
  for (const [name, type] of Object.entries(definition.mapping)) {
    properties[name] = type.deserialize(row, setup.cryptoKey)
  }
  if (definition.signs) {
    verifySignature(row, signatureOf(definition, properties, signingKeyOf(setup)))
  }
  return properties
}

function migrated(
  definition: Definition,
  previous: Definition,
  row: Row,
  setup: RowSetup,
): Properties {
  const earlier = fromRow(previous, row, setup)
  const properties = attempt(definition, earlier, setup)
  if (properties instanceof Promise) {
    throw entitiesDecodeError(
      'MigrationFailed',
      `migrate of version ${definition.version} returned a promise. It must return the properties: do asynchronous work before.`,
    )
  }
  if (typeof properties === 'object' && properties !== null) {
    checkKeys(definition, properties, row)
    return properties
  }
  throw entitiesDecodeError(
    'MigrationFailed',
    `migrate of version ${definition.version} returned nothing. It must return all properties of its version.`,
  )
}

function attempt(
  { migrate, version }: Definition,
  earlier: Properties,
  { context }: RowSetup,
): Properties | undefined {
  try {
    return migrate?.call(context, earlier)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw entitiesDecodeError(
      'MigrationFailed',
      `migrate of version ${version} failed: ${reason}`,
      {
        cause,
      },
    )
  }
}

/** A modify would write another row if the migration changed the keys. */
function checkKeys(definition: Definition, properties: Properties, row: Row): void {
  const { partitionKey, rowKey, version } = definition
  const isSame =
    partitionKey.exact(properties) === row.PartitionKey && rowKey.exact(properties) === row.RowKey
  if (isSame) return
  throw entitiesDecodeError(
    'MigrationFailed',
    `migrate of version ${version} changed a property of the key. The keys must stay the same.`,
  )
}

/** Copies all properties, so that a change of the copy does not change the entity. */
export function cloneProperties({ mapping }: Definition, properties: Properties): Properties {
  const names = Object.entries(mapping)
  return Object.fromEntries(names.map(([name, type]) => [name, type.clone(properties[name])]))
}

/**
 * Makes the key of a row from the properties of an entity.
 *
 * @throws InputError (`MissingKeyProperty`) when one is missing
 */
export function keyFrom({ partitionKey, rowKey }: Definition, properties: Properties): EntityKey {
  return { partitionKey: partitionKey.exact(properties), rowKey: rowKey.exact(properties) }
}

/**
 * Returns the caller's properties.
 *
 * @throws InputError (`InvalidValue`) when they are not an object
 */
export function propertiesFrom(properties: unknown): Properties {
  if (typeof properties === 'object' && properties !== null) return properties as Properties
  throw entitiesInputError('InvalidValue', 'The properties must be an object.')
}

/** The state of an entity's row, under the names that entities of that library have. */
export interface EntityState {
  /** PartitionKey. */
  readonly _partitionKey: string
  /** RowKey. */
  readonly _rowKey: string
  /** The version of the stored row, which may be older than the class. */
  readonly _version: number
  /** The properties, by name. */
  readonly _properties: Properties
  /** The ETag of the stored row. */
  readonly _etag: string
}

/**
 * Reads the state of an entity from its row.
 *
 * @throws DecodeError when the row does not fit
 */
export function stateOf(
  definition: Definition,
  setup: RowSetup,
  row: Row,
  etag: string,
): EntityState {
  return {
    _partitionKey: String(row.PartitionKey),
    _rowKey: String(row.RowKey),
    _version: Number(row.Version),
    _properties: fromRow(definition, row, setup),
    _etag: etag,
  }
}
